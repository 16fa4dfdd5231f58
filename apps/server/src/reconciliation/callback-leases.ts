/** The leases of the callbacks that this node has in hand. A lease that ended while its callback waits would let a second copy be read. */
import type { Clock } from '@opencashier/core/time/clock';

/** Seconds after which another node may read the callbacks of a node that died. */
export const LEASE_S = 30;
/** Age in ms at which a lease is renewed. A claim that fails once leaves time for another one. */
const RENEWED_AFTER_MS = 10_000;
/** A callback that takes longer hangs on this node, so another node may have it. ms. */
const LONGEST_IN_HAND_MS = 300_000;

interface Key {
  readonly source: string;
  readonly messageId: string;
}

/** Callbacks that the next claim leaves out, as arrays for SQL's `unnest`. */
export interface Excluded {
  readonly sources: readonly string[];
  readonly messageIds: readonly string[];
  readonly isRenewed: readonly boolean[];
}

export interface Leases<Item extends Key> {
  /** Notes that a callback was just leased. */
  begin(item: Item): void;
  /** The callbacks in hand whose leases may end soon. Usually there are none. */
  old(inHand: readonly Item[]): Excluded;
  /** The claimed callbacks that are not in hand already. */
  others(claimed: readonly Item[], inHand: readonly Item[]): readonly Item[];
}

export function createLeases<Item extends Key>(clock: Pick<Clock, 'now'>): Leases<Item> {
  const times = new WeakMap<Item, { readonly since: number; leased: number }>();
  return {
    begin(item) {
      const since = clock.now();
      times.set(item, { since, leased: since });
    },
    old(inHand) {
      const now = clock.now();
      const old = inHand.filter((item) => now - (times.get(item)?.since ?? now) >= RENEWED_AFTER_MS);
      const isRenewed = old.map((item) => {
        const time = times.get(item);
        if (time === undefined || now - time.leased < RENEWED_AFTER_MS) return false;
        if (now - time.since >= LONGEST_IN_HAND_MS) return false;
        time.leased = now;
        return true;
      });
      return {
        sources: old.map(({ source }) => source),
        messageIds: old.map(({ messageId }) => messageId),
        isRenewed,
      };
    },
    others(claimed, inHand) {
      if (claimed.length === 0) return claimed;
      const known = new Set(inHand.map(keyOf));
      return claimed.filter((item) => !known.has(keyOf(item)));
    },
  };
}

function keyOf({ source, messageId }: Key): string {
  return `${source} ${messageId}`;
}
