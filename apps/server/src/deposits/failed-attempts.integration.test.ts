/** Reports about attempts of a deposit: of the account that took the payment, and of one that had called its attempt failed. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { findPayments } from '../operator-api/lookup/payment-lookup.ts';
import { transactionDetail } from '../operator-api/lookup/transaction-detail.ts';
import { ann, type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import {
  attemptedDeposit,
  attemptsOf,
  failed,
  type Routed,
  withRoutedPayments,
} from '../payments/testing/routed-payments.fixture.ts';
import { creditsOf, depositStateOf } from '../payments/testing/with-payments.fixture.ts';
import { saveRoutes } from '../routing/policy-store.ts';

let database: Database;
let bench: Bench;
let routed: Routed;
withRoutedPayments((made) => {
  ({ database, bench, routed } = made);
});

const reportFrom = (name: string, more: Parameters<typeof reportOf>[1] = {}) =>
  reportOf(routed.lastIdAt(name), { provider: name, eventId: `${name}-${routed.lastIdAt(name)}`, ...more });

/** The route of the decisions. They name it by its version, and have no copy of it. */
async function storeRoute(): Promise<void> {
  const routes = routed.decisions.slice(-1).map(({ inputs }) => inputs.route);
  await database.transaction((transaction) =>
    saveRoutes(transaction, 'op', { version: 0, routes, staff: 'maria', before: [] }),
  );
}

describe('[SRV-3] [SRV-4] reports', () => {
  /** A deposit whose second account has the payment. */
  async function secondTook(): Promise<string> {
    routed.named('first').onCreate = failed;
    const command = commandOf();
    await bench.payments.createDeposit(command);
    return command.request.depositId;
  }

  test('of the account that took the payment credit it, and its refund goes there', async () => {
    const depositId = await secondTook();
    expect(await bench.payments.apply(reportFrom('second'))).toEqual({ outcome: 'credited', id: depositId });
    // Staff find it by the id that the provider has.
    const { payments } = await findPayments(database, 'op', routed.lastIdAt('second'));
    expect(payments).toMatchObject([{ id: depositId, matchedBy: ['id'] }]);
    expect(await creditsOf(database, depositId)).toBe(1);
    await bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: crypto.randomUUID(), staff: 'eve' });
    expect(routed.named('first').refunds).toEqual([]);
    expect(routed.named('second').refunds).toMatchObject([
      { depositId: routed.lastIdAt('second'), providerRef: refOf(routed.lastIdAt('second')) },
    ]);
    const { refundId = '' } = routed.named('second').refunds[0] ?? {};
    const gone = reportFrom('second', { outcome: 'reversed', refundId, eventId: `gone-${depositId}` });
    expect(await bench.payments.apply(gone)).toMatchObject({ id: depositId });
    expect(await depositStateOf(database, depositId)).toBe('refunded');
  });

  test('many at once credit deposits of a second attempt', async () => {
    const ids = [await secondTook(), await secondTook(), await secondTook()];
    const creates = routed.named('second').creates.slice(-3);
    for (const { depositId } of creates) {
      const report = reportOf(depositId, { provider: 'second', eventId: `many-${depositId}` });
      const callback = { headers: { 'x-signature': 'good', 'x-id': report.eventId }, receivedAt: Date.now() };
      const rawBody = new TextEncoder().encode(JSON.stringify({ ...report, paidMinor: '50000' }));
      await bench.payments.receiveCallback('second', { ...callback, rawBody });
    }
    await bench.payments.runDueWork();
    for (const id of ids) expect(await creditsOf(database, id)).toBe(1);
  });

  test('of a provider that had said "failed" and took the money all the same go to staff, and credit nobody', async () => {
    const depositId = await secondTook();
    await bench.payments.apply(reportFrom('second'));
    const lie = reportFrom('first');
    expect(await bench.payments.apply(lie)).toMatchObject({ outcome: 'suspended' });
    expect(await bench.payments.apply(lie)).toMatchObject({ outcome: 'unchanged' });
    expect(await creditsOf(database, depositId)).toBe(1);
    const [attempt] = await attemptsOf(database, depositId);
    const found = attempt?.money ?? '';
    expect(found).not.toBe('');
    expect(await attemptedDeposit(database, found)).toMatchObject({
      provider: 'first',
      attemptId: depositId,
      state: 'late_paid',
      review: 'late',
    });
    expect(await creditsOf(database, found)).toBe(0);
    const hooks = await database.query({
      text: `select type from webhook_delivery where body::jsonb -> 'data' ->> 'depositId' = $1`,
      values: [found],
    });
    expect(hooks).toEqual([{ type: 'deposit.under_review' }]);
    // Staff who ask by the id that the provider has see both deposits.
    const { payments } = await findPayments(database, 'op', depositId);
    expect(payments.map(({ id }) => id).sort()).toEqual([depositId, found].sort());
    await storeRoute();
    const { reference, attempts } = await transactionDetail(database, 'op', found);
    expect(attempts).toMatchObject([
      { attemptId: depositId, depositId, provider: 'first', outcome: 'failed', moneyDepositId: found, reference },
    ]);
    expect(await transactionDetail(database, 'op', depositId)).toMatchObject({
      routing: { order: [{ provider: 'first' }, { provider: 'second' }, { provider: 'third' }], isReplayedAlike: true },
      attempts: [
        attempts[0],
        { attemptId: routed.lastIdAt('second'), depositId, reference: refOf(routed.lastIdAt('second')) },
      ],
    });
    // Staff send it back: through the account that has it.
    expect(await bench.payments.apply({ ...lie, outcome: 'reversed', eventId: `back-${depositId}` })).toMatchObject({
      id: found,
    });
    expect(await depositStateOf(database, depositId)).toBe('credited');
  });

  test('of a chargeback at the account that took the payment take its credit back, and its dispute belongs to the deposit', async () => {
    const depositId = await secondTook();
    await bench.payments.apply(reportFrom('second'));
    const chargeback = reportFrom('second', { outcome: 'reversed', eventId: `chargeback-${depositId}` });
    // The first account has no money of this payer, so it can take none back.
    const stranger = reportFrom('first', { outcome: 'reversed', eventId: `stranger-${depositId}` });
    expect(await bench.payments.apply(stranger)).toMatchObject({ outcome: 'unmatched' });
    expect(await depositStateOf(database, depositId)).toBe('credited');
    expect(await bench.payments.apply(chargeback)).toMatchObject({ outcome: 'moved', id: depositId });
    expect(await bench.payments.apply(chargeback)).toMatchObject({ outcome: 'unchanged' });
    expect(await depositStateOf(database, depositId)).toBe('reversed');
    const booked = await database.query({
      text: `select account.owner, posting.amount::int as amount
        from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
        where journal.deposit_id = $1 and journal.kind = 'deposit_reversal' and account.kind = 'provider_clearing'`,
      values: [depositId],
    });
    expect(booked).toEqual([{ owner: 'second', amount: 50_000 }]);
  });

  test('of such a provider are in time when they come before the next attempt: then no other account is asked', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    routed.named('first').onCreate = async () => {
      await bench.payments.apply(reportFrom('first'));
      return { kind: 'failed', code: 'liar' };
    };
    await bench.payments.createDeposit(command);
    expect(routed.asked()).toEqual(['first']);
    expect(await creditsOf(database, depositId)).toBe(1);
  });

  test('of a failed attempt that tell of no money change nothing', async () => {
    const depositId = await secondTook();
    for (const outcome of ['pending', 'declined', 'expired', 'cancelled'] as const) {
      const report = reportFrom('first', { outcome, eventId: `${outcome}-${depositId}` });
      expect(await bench.payments.apply(report)).toEqual({ outcome: 'unchanged', id: depositId });
    }
    expect(await attemptedDeposit(database, depositId)).toMatchObject({
      provider: 'second',
      state: 'awaiting_payment',
    });
  });

  test('of another provider under the id of an attempt match nothing', async () => {
    const depositId = await secondTook();
    const stranger = reportFrom('second', { provider: 'third', eventId: `third-${depositId}` });
    expect(await bench.payments.apply(stranger)).toMatchObject({ outcome: 'unmatched' });
    expect(await depositStateOf(database, depositId)).toBe('awaiting_payment');
  });

  test('a cancel goes to the account that has the payment', async () => {
    const depositId = await secondTook();
    await bench.payments.cancelDeposit(ann, depositId);
    expect(routed.named('first').cancels).toEqual([]);
    expect(routed.named('second').cancels).toEqual([refOf(routed.lastIdAt('second'))]);
  });
});
