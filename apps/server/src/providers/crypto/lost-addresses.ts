/**
 * Addresses that the chain knows as used and the database does not know as given out. They show that the database has gone back: it
 * was restored from a backup, or a replica that lagged took over. What comes to them belongs to people whose deposits are lost.
 */
import type { AddressStore, KnownSeries } from './address-store.ts';
import type { ChainSource } from './chain-source.ts';
import { inTurns } from './node-http.ts';
import type { AddressPlace } from './receiving-address.ts';

/** What of an open chain its addresses are made of. */
export interface AddressedChain {
  readonly key: string;
  readonly account: string;
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  addressAt(place: AddressPlace): string;
}

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
}

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

/** @throws NodeError when no node answers */
export async function findLost(
  chain: AddressedChain,
  store: Pick<AddressStore, 'givenIndices' | 'givenOf'>,
  { series, depth, most, withAcknowledged }: LostSearch,
): Promise<LostAddress[]> {
  const found: LostAddress[] = [];
  for (const { branch, lastIndex, acknowledgedTo } of series) {
    const from = withAcknowledged ? 0 : acknowledgedTo;
    const given = await store.givenIndices(chain.key, chain.account, branch, from);
    const end = Math.max(lastIndex + 1, from) + depth;
    const indices: number[] = [];
    for (let index = end - 1; index >= from && indices.length < most; index -= 1) {
      if (!given.has(index)) indices.push(index);
    }
    const lost = await inTurns(indices, async (index): Promise<LostAddress[]> => {
      const place = { branch, index };
      const address = chain.addressAt(place);
      if (!(await isUsed(chain, address))) return [];
      return [{ chain: chain.key, place, address, isNew: index >= acknowledgedTo }];
    });
    found.push(...lost.flat());
  }
  // Another node may have given one out since the question.
  const given = await store.givenOf(
    chain.key,
    found.map(({ address }) => address),
  );
  return found.filter(({ address }) => !given.has(address)).reverse();
}

/**
 * Whether anything ever came to an address, by the first node that answers.
 * @throws NodeError when none does
 */
export async function isUsed({ sources }: Pick<AddressedChain, 'sources'>, address: string): Promise<boolean> {
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
