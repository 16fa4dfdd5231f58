/** Tests of coin payouts during which the server dies, for a chain of any kind. COIN_ROUNDS: deaths per failpoint. */
import { test } from 'vitest';
import type { CoinCashier } from './coin-cashier.ts';
import { expectSoundBooks } from './invariants.ts';

const rounds = Number(process.env['COIN_ROUNDS'] ?? process.env['FAULT_ROUNDS'] ?? 1);

/** Makes a test for each failpoint. */
export function testDeaths({
  points,
  cashier,
  pay,
}: {
  readonly points: readonly string[];
  /** Called when the tests run. The cashier is open by then. */
  readonly cashier: () => CoinCashier;
  /** Withdraws while the server dies at the point, and compares the books of the chain. */
  readonly pay: (point: string) => Promise<void>;
}): void {
  for (const point of points) {
    test(`[WD-2] [SRV-2] killed at ${point}: the payee is paid once, and the withdrawal is paid`, {
      timeout: rounds * 120_000 + 60_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) await pay(point);
      await expectSoundBooks(cashier().cluster);
    });
  }
}
