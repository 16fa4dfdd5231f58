import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, refOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { ReviewError } from '../reviews/review-decision.ts';
import { books, intent, reportOn, richUser } from './withdrawals.fixture.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

let database: Database;
let bench: Bench;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  { hasWebhook: true },
);

const systemAccounts = async (): Promise<Record<'suspense' | 'operator_clearing' | 'withdrawal_fee', bigint>> => {
  const of = (kind: 'suspense' | 'operator_clearing' | 'withdrawal_fee') =>
    accountBalance(database, 'op', { owner: '', asset: 'INR', kind });
  return {
    suspense: await of('suspense'),
    operator_clearing: await of('operator_clearing'),
    withdrawal_fee: await of('withdrawal_fee'),
  };
};

/** Makes a withdrawal that the provider paid after its hold was released. */
async function paidLate(
  how: 'cancelled' | 'declined' | 'expired' = 'declined',
  more: Partial<CreateWithdrawal['request']> = {},
): Promise<{ ann: Caller; withdrawalId: string }> {
  const ann = await richUser(database, 100_000n, more.accountType);
  const command = intent(ann, more);
  const { withdrawalId } = command.request;
  const { withdrawals } = bench.payments;
  await withdrawals.create(command);
  if (how === 'cancelled') await withdrawals.cancel(ann, withdrawalId);
  if (how === 'declined') {
    await withdrawals.confirm(ann, withdrawalId);
    await withdrawals.apply(reportOn(withdrawalId, { outcome: 'declined' }));
  }
  if (how === 'expired') {
    await database.query({ text: `update withdrawal set expires_at = now() where id = $1`, values: [withdrawalId] });
    await bench.payments.runDueWork();
  }
  expect(await withdrawals.apply(reportOn(withdrawalId))).toEqual({ outcome: 'moved', id: withdrawalId });
  return { ann, withdrawalId };
}

test.each(['cancelled', 'declined', 'expired'] as const)(
  '[WD-2] a payout after the withdrawal was %s goes into suspense, the user keeps the released amount, and staff are alerted',
  async (how) => {
    const before = await systemAccounts();
    const { ann, withdrawalId } = await paidLate(how);
    expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
    expect((await systemAccounts()).suspense - before.suspense).toBe(-97_400n);
    const { withdrawals } = bench.payments;
    // A duplicate, a second event and a contradiction change nothing.
    expect(await withdrawals.apply(reportOn(withdrawalId))).toMatchObject({ outcome: 'unchanged' });
    expect(await withdrawals.apply(reportOn(withdrawalId, { outcome: 'declined' }))).toMatchObject({
      outcome: 'unchanged',
    });
    expect((await systemAccounts()).suspense - before.suspense).toBe(-97_400n);
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({
      status: 3,
      canCancel: false,
      reason: 'withdrawal.reason.late',
    });
    const hooks = await database.query<{ type: string }>({
      text: 'select type from webhook_delivery where withdrawal_id = $1 order by created_at desc limit 1',
      values: [withdrawalId],
    });
    expect(hooks).toEqual([{ type: 'withdrawal.under_review' }]);
    expect(
      bench.logs.filter(({ level, message }) => level === 'error' && message.includes('under review')),
    ).toHaveLength(1);
  },
);

describe('[WD-2] staff decide once about a late payout', () => {
  test('charge: the user pays the amount back, including the agreed fee', async () => {
    const before = await systemAccounts();
    const { ann, withdrawalId } = await paidLate();
    const decisions = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'charge', 'eve'),
      ),
    );
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const decision of decisions) {
      if (decision.status === 'rejected') expect(decision.reason).toBeInstanceOf(ReviewError);
    }
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 0n });
    const after = await systemAccounts();
    expect(after.suspense - before.suspense).toBe(0n);
    expect(after.withdrawal_fee - before.withdrawal_fee).toBe(2_600n);
    expect(await bench.payments.withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 1 });
    const hooks = await database.query<{ body: string }>({
      text: `select body from webhook_delivery where withdrawal_id = $1 and type = 'withdrawal.settled'`,
      values: [withdrawalId],
    });
    expect(hooks.map(({ body }) => JSON.parse(body))).toMatchObject([{ data: { charged: '1000.00', fee: '26.00' } }]);
  });

  test.each(['main', 'additional'] as const)(
    'charge: a shortfall on the %s account becomes a debt that freezes withdrawals',
    async (accountType) => {
      const { ann, withdrawalId } = await paidLate('cancelled', { accountType });
      await bench.payments.withdrawals.create(intent(ann, { amount: '900.00', accountType }));
      await bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'charge', 'eve');
      const { free, additional, held } = await books(database, ann);
      expect([free + additional, held]).toEqual([0n, 90_000n]);
      expect(await accountBalance(database, 'op', { owner: ann.userId, asset: 'INR', kind: 'reversal_debt' })).toBe(
        -90_000n,
      );
      expect(
        await failureOf(bench.payments.withdrawals.create(intent(ann, { amount: '100.00', accountType }))),
      ).toMatchObject({
        code: 'insufficient-funds',
      });
      const frozen = await database.query({
        text: `select 1 from account where owner = $1 and kind = 'user' and frozen_at is not null`,
        values: [ann.userId],
      });
      expect(frozen).toHaveLength(1);
    },
  );

  test('bear: the operator pays', async () => {
    const before = await systemAccounts();
    const { ann, withdrawalId } = await paidLate();
    expect(await bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'bear', 'eve')).toMatchObject({
      status: 1,
    });
    const after = await systemAccounts();
    expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
    expect(after.suspense - before.suspense).toBe(0n);
    expect(after.operator_clearing - before.operator_clearing).toBe(-97_400n);
  });

  test('a withdrawal without a late payout has nothing to decide', async () => {
    const ann = await richUser(database);
    const command = intent(ann);
    await bench.payments.withdrawals.create(command);
    const decide = bench.payments.settleLatePayout(
      { operatorId: 'op', id: command.request.withdrawalId },
      'charge',
      'eve',
    );
    await expect(decide).rejects.toBeInstanceOf(ReviewError);
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  });
});

test('[WD-2] a late payout that comes back before staff decided ends its review, and nobody is charged', async () => {
  const before = await systemAccounts();
  const { ann, withdrawalId } = await paidLate();
  const { withdrawals } = bench.payments;
  expect(await withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }))).toMatchObject({ outcome: 'moved' });
  expect(await withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }))).toMatchObject({
    outcome: 'unchanged',
  });
  expect(await systemAccounts()).toEqual(before);
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({
    status: 2,
    reason: 'withdrawal.reason.declined',
  });
  await expect(
    bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'charge', 'eve'),
  ).rejects.toBeInstanceOf(ReviewError);
  const [hook] = await database.query({
    text: `select type, body::jsonb #>> '{data,charged}' as charged from webhook_delivery where withdrawal_id = $1
      order by created_at desc limit 1`,
    values: [withdrawalId],
  });
  expect(hook).toEqual({ type: 'withdrawal.settled', charged: '0.00' });
});

test('[WD-2] a late payout that comes back after staff decided is kept for staff under a reason of its own', async () => {
  const { withdrawalId } = await paidLate();
  await bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'bear', 'eve');
  const { withdrawals } = bench.payments;
  expect(await withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }))).toMatchObject({
    outcome: 'unmatched',
  });
  const kept = await database.query({
    text: `select outcome from withdrawal_event where withdrawal_id = $1 and status = 'parked'`,
    values: [withdrawalId],
  });
  expect(kept).toEqual([{ outcome: 'returned-after-settlement' }]);
});

test('[WD-2] [SRV-3] our id in capital letters names our withdrawal, and a reference of another one contradicts it', async () => {
  const one = await paidLate();
  const other = await paidLate();
  const { withdrawals } = bench.payments;
  const capitals = reportOn(one.withdrawalId, { withdrawalId: one.withdrawalId.toUpperCase(), outcome: 'returned' });
  expect(await withdrawals.apply(capitals)).toEqual({ outcome: 'moved', id: one.withdrawalId });
  const crossed = reportOn(other.withdrawalId, { providerRef: refOf(one.withdrawalId), outcome: 'returned' });
  expect(await withdrawals.apply(crossed)).toEqual({ outcome: 'unmatched' });
  const [kept] = await database.query({
    text: 'select outcome from withdrawal_event where event_id = $1',
    values: [crossed.eventId],
  });
  expect(kept).toEqual({ outcome: 'reused-ref' });
});
