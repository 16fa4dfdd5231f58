/** Kills the server again and again during payouts, and lets the provider's own books judge. For any provider that pays out. */
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import { dieDuring, surviveDeath } from './deaths.ts';
import { expectSoundBooks } from './invariants.ts';

/** A moment at which the server dies. */
export interface DeadlyMoment {
  readonly name: string;
  /** Lets something happen, during which the server dies at this moment and another one goes on. */
  during(happens: () => Promise<void>): Promise<void>;
}

/** A payout, ready to begin. */
export interface PayoutStory {
  /** The user withdraws, and insists until the withdrawal has ended. */
  readonly happens: () => Promise<void>;
  /** What the provider's own books say of the payout: how often it paid, and how much in minor units. */
  readonly paidOut: () => Promise<{ readonly payouts: number; readonly minor: bigint }>;
  /** Our id of the withdrawal. */
  readonly withdrawalId: string;
  /** What must arrive, in minor units, and in how many payouts of the provider. */
  readonly expected: { readonly payouts: number; readonly minor: bigint };
}

/** The server dies at one of its failpoints. */
export function atPoint(cluster: Cluster, point: string): DeadlyMoment {
  return { name: point, during: (happens) => dieDuring(cluster, point, happens) };
}

/**
 * The server dies while it asks the provider.
 * @param arm makes a later request of the server call `kill`
 */
export function atCall(cluster: Cluster, name: string, arm: (kill: () => void) => void): DeadlyMoment {
  return {
    name,
    async during(happens) {
      arm(() => void cluster.endNode(0, 'SIGKILL'));
      await surviveDeath(cluster, happens);
    },
  };
}

/**
 * One death after the other, each in a payout of its own.
 * @param times how many deaths: the moments take turns, or some of them are spread over the list
 * @param begin makes the next payout. It may ask for what only one moment needs
 */
export async function killPayouts(
  cluster: Cluster,
  moments: readonly DeadlyMoment[],
  times: number,
  begin: (moment: DeadlyMoment) => Promise<PayoutStory>,
): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    const isShort = times < moments.length;
    const moment = moments[isShort ? Math.floor((nth * moments.length) / times) : nth % moments.length];
    if (moment === undefined) throw new RangeError('No moment to die at');
    const story = await begin(moment);
    await moment.during(story.happens);
    const what = `death ${nth + 1} at ${moment.name}`;
    expect(await story.paidOut(), what).toEqual(story.expected);
    await expectPaidOnce(cluster, story.withdrawalId, what);
  }
  await expectSoundBooks(cluster);
}

/** The hold of the withdrawal was posted once and never released, and one payout of it is paid. */
async function expectPaidOnce(cluster: Cluster, withdrawalId: string, what: string): Promise<void> {
  const ends = await cluster.query<{ note: string }>(
    `select note from journal where withdrawal_id = $1 and kind = 'hold_end'`,
    [withdrawalId],
  );
  expect(ends, `the end of the hold, ${what}`).toEqual([{ note: 'post' }]);
  const payouts = await cluster.query<{ state: string }>('select state from payout where withdrawal_id = $1', [
    withdrawalId,
  ]);
  expect(payouts, `the payout, ${what}`).toEqual([{ state: 'paid' }]);
}
