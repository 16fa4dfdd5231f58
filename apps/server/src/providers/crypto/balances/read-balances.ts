/**
 * Reads the balances of a chain once a day, a few addresses in each round of its watch. Once all are read, a round of its own has them
 * compared with the ledger, so that no credit waits for the sums of all payments (SRV-1). A node that does not answer leaves the reading as
 * it is: an unknown balance is never 0.
 */
import type { ChainReading, CompareReading } from '../../chain-reading.ts';
import { type BalancePlace, type ChainSource, NodeError } from '../chain/chain-source.ts';
import { type Asset, toMinor } from '../chain-kinds.ts';
import type { BalanceStore } from './balance-store.ts';

export interface ReadChain {
  readonly key: string;
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly assets: readonly Asset[];
  readonly hotWallet?: string | undefined;
  readonly owner?: string;
  /** The address of all deposits, where they share one. No other address is read, but the hot wallet. */
  readonly sharedWallet?: string;
}

export interface BalanceParts {
  readonly balances: BalanceStore;
  readonly log: { warn(fields: object, message: string): void };
}

/** Addresses of one round, so that a reading delays no credit by more than some requests. */
export const ADDRESSES_PER_ROUND = 25;
/** Minutes until a node is asked again that did not answer. */
const NODE_RETRY_MIN = 5;
/** Minutes until the end of a reading is read again whose comparison failed or was lost. It may have taken long. */
const COMPARE_RETRY_MIN = 60;
/** Minutes after which a reading is too old to be compared with the ledger of now. */
const COMPARE_WITHIN_MIN = 5;
/** No coin has as many minor units. A larger balance is nonsense, and would not fit into the database. */
const MOST_MINOR = 2n ** 62n;

/**
 * One step of a reading, while the caller watches the chain alone and has scanned it up to `height`. A failure is logged and the step is
 * tried again later. It never stops the watch.
 */
export async function readBalances(chain: ReadChain, height: number, parts: BalanceParts): Promise<void> {
  const { balances, log } = parts;
  try {
    const after = chain.sources[0].balances === undefined ? undefined : await balances.due(chain.key);
    if (after === undefined) return;
    const page = chain.sharedWallet === undefined ? await balances.changing(chain.key, after, ADDRESSES_PER_ROUND) : [];
    await readPlaces(chain, page, height, balances);
    const last = page.at(-1);
    if (last !== undefined && page.length >= ADDRESSES_PER_ROUND) {
      await balances.goOn(chain.key, last.address);
      return;
    }
    await readPlaces(chain, walletPlaces(chain), height, balances);
    await balances.handOver(chain.key, height, COMPARE_RETRY_MIN);
  } catch (error) {
    log.warn({ chain: chain.key, err: error }, 'the balances of a chain could not be read: nothing is compared');
    await balances.postpone(chain.key, error instanceof NodeError ? NODE_RETRY_MIN : COMPARE_RETRY_MIN);
  }
}

/** Has the reading compared that waits, if one does. The watch of the chain goes on meanwhile. A failure is logged. */
export async function compareBalances(
  chain: ReadChain,
  { balances, compare, log }: BalanceParts & { readonly compare: CompareReading },
): Promise<void> {
  try {
    const height = await balances.takeRead(chain.key, COMPARE_WITHIN_MIN);
    if (height === undefined) return;
    if (height === 'late') {
      log.warn(
        { chain: chain.key },
        'the balances of a chain were read too long ago: they are read again within an hour',
      );
      return;
    }
    await compare(readingOf(chain, height));
    await balances.finish(chain.key);
  } catch (error) {
    log.warn({ chain: chain.key, err: error }, 'the balances of a chain could not be compared with the ledger');
  }
}

async function readPlaces(
  { key, sources: [source], assets }: ReadChain,
  places: readonly BalancePlace[],
  height: number,
  balances: BalanceStore,
): Promise<void> {
  const known = places.filter(({ contract }) => assets.some((asset) => (asset.contract ?? '') === contract));
  if (known.length === 0 || source.balances === undefined) return;
  const found = await source.balances(known, height);
  if (found.raws.length !== known.length) throw new NodeError('The node returned only a part of the balances');
  for (const [at, raw] of found.raws.entries()) {
    const decimals = assets.find((asset) => (asset.contract ?? '') === known[at]?.contract)?.decimals ?? 0;
    if (raw < 0n || toMinor(raw, decimals) > MOST_MINOR) throw new NodeError('The node returned an impossible balance');
  }
  await balances.keep(key, known, found);
}

function walletPlaces({ hotWallet, sharedWallet, assets }: ReadChain): BalancePlace[] {
  const wallets = new Set([hotWallet, sharedWallet].filter((wallet) => wallet !== undefined));
  return [...wallets].flatMap((address) => assets.map(({ contract = '' }) => ({ address, contract })));
}

function readingOf({ key, assets, hotWallet, owner, sharedWallet }: ReadChain, height: number): ChainReading {
  return {
    chain: key,
    height,
    assets: assets.map(({ coin, contract = '', decimals }) => ({ coin, contract, decimals })),
    hotWallet,
    owner,
    sharedWallet,
  };
}
