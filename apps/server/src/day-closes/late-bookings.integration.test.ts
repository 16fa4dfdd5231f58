/** Bookings of a day that commit while its totals are computed (SRV-2). */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { proposeClose } from './close-day.ts';
import { setHours, today } from './hours-of-today.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** A credit of 500.00 whose journal is of the day that is being closed. */
async function bookLate(): Promise<void> {
  await setHours(database, 11.9);
  const { depositId } = await openDepositOf(bench);
  expect(await bench.payments.apply(reportOf(depositId))).toMatchObject({ outcome: 'credited' });
  await setHours(database, 13);
}

// The embedded database runs one transaction at a time.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  '[SRV-2] a close has a late booking in its accounts and in its movements, or in none of them',
  async () => {
    await bookLate();
    let late = 0;
    const busy = intercepted(database, async ({ text }) => {
      if (!text.includes('from posting')) return;
      late += 1;
      await bookLate();
    });
    const { totals } = await proposeClose(busy, 'op', { day: today, decidedBy: 'eve' });
    expect(late).toBeGreaterThan(1);
    const clearing = totals.accounts.find(({ account }) => account === 'provider_clearing');
    expect(clearing?.moved).toBe('-1000.00');
    expect(totals.movements).toEqual([
      { provider: 'fake', currency: 'INR', kind: 'deposit_credit', count: 2, amount: clearing?.moved },
    ]);
  },
);
