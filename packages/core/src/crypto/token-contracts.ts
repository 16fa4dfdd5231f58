/** Addresses of token contracts. Their checksum is right, but coins sent to a contract are lost. */
import { base64, hex } from '@scure/base';

/** Published by the issuers: Tether, Circle and Sky; and the wrapped coins of Ethereum and BNB Smart Chain. */
const KNOWN = [
  // USDT on Ethereum, BNB Smart Chain, Tron and Ton
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  '0x55d398326f99059fF775485246999027B3197955',
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  // USDT on Base and Polygon
  '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
  '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  // USDC on Ethereum, BNB Smart Chain and Tron
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
  // USDC on Base and Polygon, and its bridged forms there (USDbC, USDC.e)
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
  '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
  // USDT and USDC on Solana
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  // DAI, WETH and WBNB
  '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
];

/** A TON account has four user-friendly forms and a raw form. An Ethereum address may use letters of either case. */
function accountOf(address: string): string {
  if (/^0x/i.test(address)) return address.toLowerCase();
  if (/^-?\d+:[0-9a-f]{64}$/i.test(address)) return address.toLowerCase();
  if (!/^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(address)) return address;
  const bytes = base64.decode(address.replaceAll('-', '+').replaceAll('_', '/'));
  const workchain = bytes[1] === 0xff ? -1 : (bytes[1] ?? 0);
  return `${workchain}:${hex.encode(bytes.slice(2, 34))}`;
}

const KNOWN_ACCOUNTS: ReadonlySet<string> = new Set(KNOWN.map(accountOf));

/**
 * Whether an address is a token contract, in any spelling and on every chain with the same address form.
 * @param address without spaces around it
 * @param more contracts from the operator's settings
 */
export function isTokenContract(address: string, more: readonly string[] = []): boolean {
  const account = accountOf(address);
  return KNOWN_ACCOUNTS.has(account) || more.some((contract) => accountOf(contract) === account);
}
