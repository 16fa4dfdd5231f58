/** The properties of a chain (section 9 'Chains'). */
export interface Chain {
  readonly name: string;
  readonly confirmations: number;
  /** The time between two blocks, in milliseconds. */
  readonly intervalMs: number;
  /** The address of a transaction page in a public explorer, without the hash. */
  readonly explorer: string;
}

const CHAINS: readonly (Chain & { readonly aliases: readonly string[] })[] = [
  { name: 'Base', confirmations: 100, intervalMs: 2000, explorer: 'https://basescan.org/tx/', aliases: [] },
  {
    name: 'Binance Smart Chain',
    confirmations: 16,
    intervalMs: 2000,
    explorer: 'https://bscscan.com/tx/',
    aliases: ['bsc', 'bnb', 'bep20'],
  },
  { name: 'Bitcoin', confirmations: 5, intervalMs: 600_000, explorer: 'https://mempool.space/tx/', aliases: ['btc'] },
  {
    name: 'Ethereum',
    confirmations: 16,
    intervalMs: 12_000,
    explorer: 'https://etherscan.io/tx/',
    aliases: ['eth', 'erc20'],
  },
  {
    name: 'Litecoin',
    confirmations: 5,
    intervalMs: 150_000,
    explorer: 'https://litecoinspace.org/tx/',
    aliases: ['ltc'],
  },
  {
    name: 'Polygon',
    confirmations: 16,
    intervalMs: 2000,
    explorer: 'https://polygonscan.com/tx/',
    aliases: ['pol', 'matic'],
  },
  // Payments are read when the chain has made them final, so there is nothing to count.
  {
    name: 'Solana',
    confirmations: 1,
    intervalMs: 400,
    explorer: 'https://solscan.io/tx/',
    aliases: ['sol', 'spl'],
  },
  { name: 'Ton', confirmations: 8, intervalMs: 2000, explorer: 'https://tonviewer.com/transaction/', aliases: [] },
  {
    name: 'Tron',
    confirmations: 20,
    intervalMs: 3000,
    explorer: 'https://tronscan.org/#/transaction/',
    aliases: ['trx', 'trc20'],
  },
];

/** Compares names by letters and digits only, because a name is written `TRC-20`, `trc20` or `Binance Smart Chain`. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const BY_KEY: ReadonlyMap<string, Chain> = new Map(
  CHAINS.flatMap(({ aliases, ...chain }) => [chain.name, ...aliases].map((name) => [keyOf(name), chain] as const)),
);

/** Finds a chain by its name, coin or token standard (`Tron`, `TRX`, `TRC-20`). Undefined for an unknown chain (CRY-2). */
export function findChain(name: string): Chain | undefined {
  return BY_KEY.get(keyOf(name));
}

/** The address of a transaction page in the chain's explorer (CRY-2). Undefined when `txid` cannot be a hash. */
export function transactionUrl(chain: Chain, txid: string): string | undefined {
  return /^[A-Za-z0-9+/=_-]{16,128}$/.test(txid) ? chain.explorer + encodeURIComponent(txid) : undefined;
}

/** Minutes until a payment is usually confirmed (section 9). */
const CONFIRMATION_MINUTES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    Bitcoin: 15,
    Monero: 10,
    'Bitcoin Cash': 10,
    'ERC-20': 10,
    'TRC-20': 5,
    'BEP-20': 5,
    Base: 10,
    Polygon: 1,
    Solana: 1,
    Litecoin: 5,
    Dash: 5,
    Doge: 5,
    Dogecoin: 5,
    Zcash: 5,
    Ripple: 3,
    Stellar: 3,
  }).map(([name, minutes]) => [keyOf(name), minutes]),
);
const DEFAULT_CONFIRMATION_MINUTES = 10;

/** Minutes until a payment on a network is usually confirmed (CRY-1). */
export function confirmationMinutes(network: string): number {
  return CONFIRMATION_MINUTES.get(keyOf(network)) ?? DEFAULT_CONFIRMATION_MINUTES;
}

/** The preselected network (CRY-1): the first whose value contains `trc`, or else the last. Undefined for an empty list. */
export function defaultNetwork<Network extends { readonly value: string }>(
  networks: readonly Network[],
): Network | undefined {
  return networks.find(({ value }) => value.toLowerCase().includes('trc')) ?? networks.at(-1);
}
