/** The coins and networks of the sandbox: test networks, and fixed prices. */
import { findChain } from '@opencashier/core/crypto/chains';
import { bip21Uri, eip681Uri, solanaPayUri, tonUri, tronCode } from '@opencashier/core/payment-codes/crypto-uri';
import { type AddressKind, addressOf } from './addresses.ts';

/** The decimals of every coin in the ledger. */
const BOOK_DECIMALS = 8;

export interface Network {
  readonly key: string;
  /** The name in core's table of chains. */
  readonly chain: string;
  /** The confirmations that a credit needs. */
  readonly required: number;
  readonly addressKind: AddressKind;
  /** The coins of the network, with the decimals of each. */
  readonly decimals: Readonly<Record<string, number>>;
  /** The text of the QR code. @param minor the amount in the ledger's unit */
  readonly uri: (coin: string, address: string, minor: bigint, memo: string) => string;
  /** All deposits share one address, and a memo tells them apart. */
  readonly hasMemo?: boolean;
}

/** The chain ids of the test networks. */
const SEPOLIA = 11_155_111;
const BSC_TESTNET = 97;
const BASE_SEPOLIA = 84_532;
const POLYGON_AMOY = 80_002;
/** A made-up token contract, of digits alone like every address here. */
const TOKEN_CONTRACT = `0x${'20'.padStart(40, '0')}`;
const JETTON_MASTER = addressOf('ton', '20');
const SPL_MINT = addressOf('solana', '20');

/**
 * An amount of coins that can be sent on a network, in the ledger's unit. It is rounded up to the coin's own decimals, so that text
 * and QR code name the same amount. Undefined for a coin that the network does not have.
 */
export function sendable({ decimals }: Network, coin: string, minor: bigint): bigint | undefined {
  const places = Object.hasOwn(decimals, coin) ? decimals[coin] : undefined;
  if (places === undefined || places >= BOOK_DECIMALS) return places === undefined ? undefined : minor;
  return scaled(minor, places) * 10n ** BigInt(BOOK_DECIMALS - places);
}

/** The amount in a unit of other decimals. Rounded up, so that a payer who sends it does not pay too little. */
function scaled(minor: bigint, decimals: number): bigint {
  if (decimals >= BOOK_DECIMALS) return minor * 10n ** BigInt(decimals - BOOK_DECIMALS);
  const unit = 10n ** BigInt(BOOK_DECIMALS - decimals);
  return (minor + unit - 1n) / unit;
}

/** An amount in the ledger's unit as a decimal string, without zeros at the end. */
export function coinsOf(minor: bigint): string {
  const text = minor.toString().padStart(BOOK_DECIMALS + 1, '0');
  const fraction = text.slice(-BOOK_DECIMALS).replace(/0+$/, '');
  return text.slice(0, -BOOK_DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
}

const evm =
  (chainId: number, nativeCoin: string, tokenDecimals: number): Network['uri'] =>
  (coin, to, minor) =>
    coin === nativeCoin
      ? eip681Uri({ chainId, to, value: scaled(minor, 18) })
      : eip681Uri({ chainId, to, token: TOKEN_CONTRACT, value: scaled(minor, tokenDecimals) });

const bip21 =
  (scheme: 'bitcoin' | 'litecoin' | 'dogecoin'): Network['uri'] =>
  (_coin, address, minor) =>
    bip21Uri({ scheme, address, amount: coinsOf(minor) });

function network(key: string, chain: string, parts: Omit<Network, 'key' | 'chain' | 'required'>): Network {
  return { key, chain, required: findChain(chain)?.confirmations ?? 6, ...parts };
}

const networks: readonly Network[] = [
  network('trc20', 'Tron', {
    addressKind: 'tron',
    decimals: { USDT: 6, TRX: 6 },
    uri: (_coin, address) => tronCode(address),
  }),
  network('erc20', 'Ethereum', {
    addressKind: 'ethereum',
    decimals: { USDT: 6, USDC: 6, ETH: 18 },
    uri: evm(SEPOLIA, 'ETH', 6),
  }),
  network('bep20', 'Binance Smart Chain', {
    addressKind: 'ethereum',
    decimals: { USDT: 18, BNB: 18 },
    uri: evm(BSC_TESTNET, 'BNB', 18),
  }),
  network('base', 'Base', {
    addressKind: 'ethereum',
    decimals: { USDT: 6, USDC: 6, ETH: 18 },
    uri: evm(BASE_SEPOLIA, 'ETH', 6),
  }),
  network('polygon', 'Polygon', {
    addressKind: 'ethereum',
    decimals: { USDT: 6, USDC: 6, POL: 18 },
    uri: evm(POLYGON_AMOY, 'POL', 6),
  }),
  network('solana', 'Solana', {
    addressKind: 'solana',
    decimals: { USDT: 6, USDC: 6, SOL: 9 },
    uri: (coin, to, minor) => solanaPayUri({ to, amount: coinsOf(minor), ...(coin !== 'SOL' && { token: SPL_MINT }) }),
  }),
  network('ton', 'Ton', {
    addressKind: 'ton',
    decimals: { USDT: 6 },
    uri: (_coin, to, minor, text) => tonUri({ to, jetton: JETTON_MASTER, value: scaled(minor, 6), text }),
    hasMemo: true,
  }),
  network('bitcoin', 'Bitcoin', { addressKind: 'bitcoin', decimals: { BTC: 8 }, uri: bip21('bitcoin') }),
  network('litecoin', 'Litecoin', { addressKind: 'litecoin', decimals: { LTC: 8 }, uri: bip21('litecoin') }),
  network('dogecoin', 'Dogecoin', { addressKind: 'dogecoin', decimals: { DOGE: 8 }, uri: bip21('dogecoin') }),
];

const aliases: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  ltc: 'litecoin',
  doge: 'dogecoin',
  eth: 'erc20',
  ethereum: 'erc20',
  bnb: 'bep20',
  bsc: 'bep20',
  pol: 'polygon',
  matic: 'polygon',
  sol: 'solana',
  trx: 'trc20',
  tron: 'trc20',
};

/** A network by the catalogue's name. Undefined for a network that the sandbox does not have. */
export function networkOf(name: string): Network | undefined {
  const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return networks.find((one) => one.key === (Object.hasOwn(aliases, key) ? aliases[key] : key));
}

/** Millionths of a US dollar per unit. The prices are round and fixed, so that tests are repeatable. */
const prices: Readonly<Record<string, bigint>> = {
  USD: 1_000_000n,
  USDT: 1_000_000n,
  USDC: 1_000_000n,
  EUR: 1_100_000n,
  INR: 12_000n,
  RUB: 11_000n,
  BRL: 180_000n,
  MXN: 50_000n,
  KZT: 2_000n,
  UZS: 80n,
  KGS: 11_500n,
  AZN: 588_000n,
  NGN: 625n,
  BDT: 8_300n,
  TRY: 25_000n,
  TJS: 92_000n,
  BTC: 90_000_000_000n,
  ETH: 3_000_000_000n,
  LTC: 100_000_000n,
  DOGE: 200_000n,
  BNB: 800_000_000n,
  TRX: 250_000n,
  POL: 200_000n,
  SOL: 150_000_000n,
};

/** An amount of a currency in the ledger's unit of a coin, rounded up. Undefined where the sandbox has no price. */
export function inCoin(minor: bigint, currency: string, decimals: number, coin: string): bigint | undefined {
  if (currency === coin) return minor;
  const [from, to] = [prices[currency], prices[coin]];
  if (from === undefined || to === undefined) return undefined;
  const divisor = to * 10n ** BigInt(decimals);
  return (minor * from * 10n ** BigInt(BOOK_DECIMALS) + divisor - 1n) / divisor;
}
