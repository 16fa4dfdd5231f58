/** Withdrawals of money paid out in crypto: a quote fixes the payout, which is held, booked and returned (WD-2). */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, refOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createOwnMood } from '../rates/sandbox-mood.fixture.ts';
import { createSandboxRates } from '../rates/sandbox-rates.ts';
import { createRedemptions, QUOTE_LIFETIME_S } from '../sweepstake/create-redemptions.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import { bookOf } from '../sweepstake/sweepstake.fixture.ts';
import { books, intent, reportOn, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
let redemptions: Redemptions;
let clock: ReturnType<typeof createTestClock>;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  {
    options() {
      clock = createTestClock();
      const rates = createSandboxRates(clock, { coinMs: 300_000, fiatMs: 86_400_000 }, createOwnMood());
      redemptions = createRedemptions({ rates, clock, secret: 'a secret of tests' });
      return { redemptions };
    },
  },
);

const coin = { paymentMethod: 'payout_coin', fields: { wallet: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' } };

async function agreed(caller: Caller, from = 'INR'): Promise<{ quote: string; rate: string; asOf: string }> {
  const known = await redemptions.rate(caller, from, 'USDT');
  if (known?.agreed === undefined) throw new Error('There is no quote');
  return { quote: known.agreed.quote, rate: known.rate, asOf: new Date(known.at).toISOString() };
}

test('[WD-2] for rupees paid out in crypto the payout, its rate and the time of the rate are fixed and stored', async () => {
  const { withdrawals } = bench.payments;
  const ann = await richUser(database);
  const { quote, rate, asOf } = await agreed(ann);
  const command = intent(ann, { ...coin, quote });
  const { withdrawalId } = command.request;
  const made = await withdrawals.create(command);
  expect(made).toMatchObject({ fee: '10.00', receives: '990.00', payout: { currency: 'USDT', rate, asOf } });
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ payout: made.payout });
  expect(await withdrawals.create(command)).toEqual(made);

  bench.provider.onWithdraw = async () => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
  await withdrawals.confirm(ann, withdrawalId);
  const arrives = bench.provider.withdraws.at(-1)?.receivesMinor ?? 0n;
  expect(bench.provider.withdraws.at(-1)).toMatchObject({ amountMinor: 100_000n, currency: 'USDT' });
  expect(arrives).toBeGreaterThan(0n);
  const [rupees, coins] = [await bookOf(database, 'INR', 'conversion'), await bookOf(database, 'USDT', 'conversion')];
  await withdrawals.apply(reportOn(withdrawalId, { currency: 'USDT', paidMinor: arrives }));
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 1, payout: made.payout });
  expect((await bookOf(database, 'INR', 'conversion')) - rupees).toBe(99_000n);
  expect((await bookOf(database, 'USDT', 'conversion')) - coins).toBe(-arrives);
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 0n });
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] without a quote, or with an expired one, another user’s or another currency’s, nothing is held', async () => {
  const { withdrawals } = bench.payments;
  const [ann, bob] = [await richUser(database), await richUser(database)];
  const of = async (quote: string | undefined) =>
    (await failureOf(withdrawals.create(intent(ann, { ...coin, ...(quote !== undefined && { quote }) })))).code;
  expect(await of(undefined)).toBe('rate-stale');
  expect(await of((await agreed(bob)).quote)).toBe('rate-stale');
  // A sweep coin is worth one dollar, a rupee about one cent.
  expect(await of((await agreed(ann, 'SC')).quote)).toBe('rate-stale');
  const { quote } = await agreed(ann);
  clock.advance(QUOTE_LIFETIME_S * 1000);
  expect(await of(quote)).toBe('rate-stale');
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

test('[WD-2] a return gives the whole amount back to the balance, at any present rate', async () => {
  const { withdrawals } = bench.payments;
  const ann = await richUser(database);
  const command = intent(ann, { ...coin, quote: (await agreed(ann)).quote });
  await withdrawals.create(command);
  await withdrawals.cancel(ann, command.request.withdrawalId);
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});
