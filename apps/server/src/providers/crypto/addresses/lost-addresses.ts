/**
 * Addresses that the chain knows as used and the database does not know as given out. They show that the database has gone back: it
 * was restored from a backup, or a replica that lagged took over. What comes to them belongs to people whose deposits are lost.
 */

import type { ChainSource } from '../chain/chain-source.ts';
import type { AddressPlace } from '../chain/receiving-address.ts';
import type { AddressStore, KnownSeries } from './address-store.ts';

/** What of an open chain its addresses are made of. */
export interface AddressedChain {
  readonly key: string;
  readonly account: string;
  /** Asked at the pace of the watch. */
  readonly sources: Sources;
  /** The same nodes without a pace: a person waits for the answer. */
  readonly urgentSources: Sources;
  addressAt(place: AddressPlace): string;
}

type Sources = readonly [ChainSource, ...ChainSource[]];

export interface LostAddress {
  readonly chain: string;
  readonly place: AddressPlace;
  readonly address: string;
  /** Nobody has said yet that this is known. */
  readonly isNew: boolean;
}

/** How far to look. */
export interface LostSearch {
  readonly series: readonly KnownSeries[];
  /** So many addresses behind the last one that the database knows. */
  readonly depth: number;
  /** So many addresses of a series are asked for at most, the highest first. */
  readonly most: number;
  /** Also what somebody has acknowledged. */
  readonly withAcknowledged: boolean;
  /** Ends with the first ones found. */
  readonly isFirstEnough?: boolean;
}

/** What a search has learned so far. A search that failed goes on from here and asks for no address twice. */
export interface SearchProgress {
  /** Whether an address was ever used, by its address. */
  readonly answers: Map<string, boolean>;
  /** Told after each answer: how many addresses of a series were asked for, and how many there are to ask. */
  readonly onAnswer?: (branch: number, asked: number, of: number) => void;
}

/** Questions about addresses that wait for an answer at one time. */
const AT_ONCE = 8;

/** The database lacks addresses that it has given out: the cashier does not start before somebody knows. */
export class AddressesBehindError extends Error {
  override readonly name = 'AddressesBehindError';
  constructor({ chain, place, address }: LostAddress) {
    super(
      `The database is older than its chain: ${address} (${chain}, ${pathOf(place)}) was used and is not in the database. ` +
        'Was it restored from a backup? Follow "After a restore" in docs/operate.md: `opencashier addresses lost`.',
    );
  }
}

/** As wallets write it, below the account's key. */
export function pathOf({ branch, index }: AddressPlace): string {
  return `${branch}/${index}`;
}

/**
 * Asks the chain, at the pace of the watch.
 * @throws NodeError when no node answers; `progress` keeps what was answered before
 */
export async function findLost(
  chain: AddressedChain,
  store: Pick<AddressStore, 'givenIndices' | 'givenOf'>,
  { series, depth, most, withAcknowledged, isFirstEnough = false }: LostSearch,
  { answers, onAnswer }: SearchProgress = { answers: new Map() },
): Promise<LostAddress[]> {
  const all: LostAddress[] = [];
  // One wallet serves everybody: there is no address to ask about.
  if (chain.sources[0].isUsed === undefined) return all;
  for (const { branch, lastIndex, acknowledgedTo } of series) {
    const from = withAcknowledged ? 0 : acknowledgedTo;
    const given = await store.givenIndices(chain.key, chain.account, branch, from);
    const indices = indicesToAsk({ from, first: Math.max(lastIndex + 1, from), depth, most }, given);
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
 * The places of a series that the database does not know, at most so many of the highest ones. Those just behind the last known one
 * come first: after a restore they are the likeliest to be used.
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

/** Another node may have given one out since the question. */
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
 * Whether anything ever came to an address, by the first node that answers.
 * @throws NodeError when none does
 */
export async function isUsed(sources: Sources, address: string): Promise<boolean> {
  let failure: unknown;
  for (const source of sources) {
    // Where one wallet serves everybody there is no address to ask about.
    if (source.isUsed === undefined) return false;
    try {
      return await source.isUsed(address);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
