/**
 * Tests of coin payouts during which the server dies, for a chain of any kind. COIN_ROUNDS: deaths per failpoint. FAULT_SEED repeats the
 * choices of a run.
 */
import { randomInt } from 'node:crypto';
import { test } from 'vitest';
import { slowness } from '../../scripts/machine/slowness.mjs';
import type { CoinCashier } from './coin-cashier.ts';
import { expectSoundBooks } from './invariants.ts';

const rounds = Number(process.env['COIN_ROUNDS'] ?? process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 31));

/** Makes a test for each failpoint. */
export function testDeaths({
  points,
  cashier,
  pay,
}: {
  readonly points: readonly string[];
  /** Called when the tests run. The cashier is open by then. */
  readonly cashier: () => CoinCashier;
  /**
   * Withdraws while the server dies at the point, and compares the books of the chain.
   * @param isForgotten a node forgets the payout while the server is dead, or before it is in a block. True for every second payout, and by
   * the seed for the first or the second one. So each failpoint meets it in every second run, whatever the number of rounds.
   */
  readonly pay: (point: string, isForgotten: boolean) => Promise<void>;
}): void {
  let payouts = seed;
  for (const point of points) {
    test(`[WD-2] [SRV-2] killed at ${point}: the payee is paid once, and the withdrawal is paid (FAULT_SEED=${seed})`, {
      timeout: Math.round((rounds * 120_000 + 60_000) * slowness()),
    }, async () => {
      for (let round = 0; round < rounds; round += 1) await pay(point, payouts++ % 2 === 0);
      await expectSoundBooks(cashier().cluster);
    });
  }
}
