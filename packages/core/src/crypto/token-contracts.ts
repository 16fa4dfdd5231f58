/** Addresses of token contracts. Their checksum is right, but coins sent to a contract are lost. */
import { base64, hex } from '@scure/base';

/** Published by the issuers: Tether, Circle and Sky; and the wrapped coins of Ethereum and BNB Smart Chain. */
const KNOWN = [
  // USDT on Ethereum, BNB Smart Chain, Tron and Ton
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  '0x55d398326f99059fF775485246999027B3197955',
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  // USDC on Ethereum, BNB Smart Chain and Tron
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
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
