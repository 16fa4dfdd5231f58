/**
 * Finds addresses that were used on the chain and that the database never gave out. They show that the database has gone back: it was
 * restored from a backup, or a lagging replica took over. Payments to them belong to deposits that the database has lost.
 */
import type { ChainSource } from '../chain/chain-source.ts';
import type { AddressPlace } from '../chain/receiving-address.ts';
import type { AddressStore, KnownSeries } from './address-store.ts';

/** The parts of an open chain that its addresses need. */
export interface AddressedChain {
  readonly key: string;
  readonly account: string;
  /** The nodes, asked at the pace of the watch. */
  readonly sources: Sources;
  /** The same nodes without a pace, for questions whose answer a person waits for. */
  readonly urgentSources: Sources;
  /** The number of prepared addresses, where addresses cannot be derived. */
  readonly preparedAddresses?: number;
  addressAt(place: AddressPlace): string;
}

type Sources = readonly [ChainSource, ...ChainSource[]];

export interface LostAddress {
  readonly chain: string;
  readonly place: AddressPlace;
  readonly address: string;
  /** Staff have not acknowledged it yet. */
  readonly isNew: boolean;
}

/** How far to search. */
export interface LostSearch {
  readonly series: readonly KnownSeries[];
  /** The number of addresses to ask for after the last one that the database knows. */
  readonly depth: number;
  /** The most addresses to ask for in one series. The highest ones come first. */
  readonly most: number;
  /** Also search the addresses that staff have acknowledged. */
  readonly withAcknowledged: boolean;
  /** End the search with the first lost addresses. */
  readonly isFirstEnough?: boolean;
}

/** What a search has learned so far. A repeated search goes on from here and asks for no address twice. */
export interface SearchProgress {
  /** Whether an address was ever used, by its address. */
  readonly answers: Map<string, boolean>;
  /** Called after each answer, with the number of addresses asked so far and the number to ask. */
  readonly onAnswer?: (branch: number, asked: number, of: number) => void;
}

/** The number of addresses that are asked for side by side. */
const AT_ONCE = 8;

/** The database lacks addresses that were given out. The cashier does not start before staff acknowledge them. */
export class AddressesBehindError extends Error {
  override readonly name = 'AddressesBehindError';
  constructor({ chain, place, address }: LostAddress) {
    super(
      `The database is older than the chain: ${address} (${chain}, ${pathOf(place)}) was used and is not in the database. ` +
        'Was it restored from a backup? Follow "After a restore" in docs/operate.md: `opencashier addresses lost`.',
    );
  }
}

/** The path below the account's key, as wallets write it. */
export function pathOf({ branch, index }: AddressPlace): string {
  return `${branch}/${index}`;
}

/**
 * Searches the series for lost addresses, at the pace of the watch.
 * @throws NodeError when no node answers. The answers so far stay in `answers`
 */
export async function findLost(
  chain: AddressedChain,
  store: Pick<AddressStore, 'givenIndices' | 'givenOf'>,
  { series, depth, most, withAcknowledged, isFirstEnough = false }: LostSearch,
  { answers, onAnswer }: SearchProgress = { answers: new Map() },
): Promise<LostAddress[]> {
  const all: LostAddress[] = [];
  // All deposits share one wallet, so there is no address to ask for.
  if (chain.sources[0].isUsed === undefined) return all;
  for (const { branch, lastIndex, acknowledgedTo } of series) {
    const from = withAcknowledged ? 0 : acknowledgedTo;
    const given = await store.givenIndices(chain.key, chain.account, branch, from);
    const end = chain.preparedAddresses ?? Number.POSITIVE_INFINITY;
    const indices = indicesToAsk({ from, first: Math.max(lastIndex + 1, from), depth, most }, given).filter(
      (index) => index < end,
    );
    let asked = 0;
    const look = async (index: number): Promise<LostAddress[]> => {
      const place = { branch, index };
      const address = chain.addressAt(place);
      const wasUsed = answers.get(address) ?? (await isUsed(chain.sources, address));
      answers.set(address, wasUsed);
      asked += 1;
      onAnswer?.(branch, asked, indices.length);
      return wasUsed ? [{ chain: chain.key, place, address, isNew: index >= acknowledgedTo }] : [];
    };
    const lost: LostAddress[] = [];
    for (let start = 0; start < indices.length; start += AT_ONCE) {
      const used = (await Promise.all(indices.slice(start, start + AT_ONCE).map(look))).flat();
      lost.push(...(await neverGiven(chain, store, used)));
      if (isFirstEnough && lost.length > 0) return lost;
    }
    all.push(...lost.sort((one, other) => one.place.index - other.place.index));
  }
  return all;
}

/**
 * The indices of a series that the database does not know, at most `most` of the highest ones. The indices right after the last known
 * one come first, because a restore most likely lost these.
 */
function indicesToAsk(
  { from, first, depth, most }: { from: number; first: number; depth: number; most: number },
  given: ReadonlySet<number>,
): number[] {
  const unknown: number[] = [];
  for (let index = first + depth - 1; index >= from && unknown.length < most; index -= 1) {
    if (!given.has(index)) unknown.push(index);
  }
  return [...unknown.filter((index) => index >= first).reverse(), ...unknown.filter((index) => index < first)];
}

/** Drops addresses that another process has given out since the question. */
async function neverGiven(
  { key }: AddressedChain,
  store: Pick<AddressStore, 'givenOf'>,
  used: readonly LostAddress[],
): Promise<LostAddress[]> {
  if (used.length === 0) return [];
  const given = await store.givenOf(
    key,
    used.map(({ address }) => address),
  );
  return used.filter(({ address }) => !given.has(address));
}

/**
 * Whether an address was ever used, by the first node that answers.
 * @throws NodeError when no node answers
 */
export async function isUsed(sources: Sources, address: string): Promise<boolean> {
  let failure: unknown;
  for (const source of sources) {
    // All deposits share one wallet, so there is no address to ask for.
    if (source.isUsed === undefined) return false;
    try {
      return await source.isUsed(address);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
