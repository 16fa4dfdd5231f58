/** The rows of a deposit's money: payments, refunds and disputes, each with its journals. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { DepositReport } from '../providers/provider.ts';
import { findRefund } from './refund-store.ts';
import { type Bench, reportOf } from './testing/payments.fixture.ts';
import { openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** Every payment, refund and dispute of a deposit in order, with its journals. */
async function rowsOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>({
    text: `select line from (
        select 1 as n, created_at, provider_ref as name, format('payment %s %s %s: %s', origin, amount, state,
          (select string_agg(kind, ' ' order by at, kind) from journal where payment_id = payment.id)) as line
        from payment where deposit_id = $1
        union all select 2, created_at, id::text, format('refund %s %s %s: %s', origin, amount, state,
          (select string_agg(kind, ' ' order by at, kind) from journal where refund_id = refund.id))
        from refund where deposit_id = $1
        union all select 3, created_at, event_id, format('dispute %s %s: %s', amount, state,
          (select string_agg(kind, ' ' order by at, kind) from journal where dispute_id = dispute.id))
        from dispute where deposit_id = $1) story order by n, created_at, name`,
    values: [depositId],
  });
  return rows.map(({ line }) => line);
}

const back = (depositId: string, more: Partial<DepositReport> = {}) =>
  bench.payments.apply(reportOf(depositId, { outcome: 'returned', providerRef: `back-${randomUUID()}`, ...more }));

test('[SRV-3] a part that was disputed, won, credited, and then charged back with the whole', async () => {
  const { depositId } = await openDepositOf(bench);
  expect(await rowsOf(depositId)).toEqual([]);
  await bench.payments.apply(reportOf(depositId));
  expect(await rowsOf(depositId)).toEqual(['payment deposit 50000 credited: deposit_credit']);
  const part = { part: 'dp_1', paidMinor: 20_000n };
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', ...part }));
  await back(depositId, part);
  expect(await rowsOf(depositId)).toEqual([
    'payment deposit 50000 credited: deposit_credit deposit_reversal',
    'payment returned 20000 in_review: suspense_in',
    'dispute 20000 won: deposit_reversal',
  ]);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', eventId: `${depositId}-whole` }));
  expect((await rowsOf(depositId)).sort()).toEqual([
    'dispute 20000 open: deposit_reversal',
    'dispute 20000 won: deposit_reversal',
    'dispute 30000 open: deposit_reversal',
    'payment deposit 50000 charged_back: deposit_credit deposit_reversal deposit_reversal',
    'payment returned 20000 charged_back: suspense_in suspense_out deposit_reversal',
  ]);
});

/** `kind account amount` of every posting of a deposit, in order. */
async function postingsOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>({
    text: `select format('%s %s %s', journal.kind, account.kind, posting.amount) as line
      from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
      where journal.deposit_id = $1 order by journal.at, posting.amount`,
    values: [depositId],
  });
  return rows.map(({ line }) => line);
}

const credit = ['deposit_credit provider_clearing -50000', 'deposit_credit user 50000'];

test('[SRV-2] [SRV-3] a deposit and its refund write the rows that docs/money.md shows', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  await bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' });
  expect(await postingsOf(depositId)).toEqual([
    ...credit,
    'hold user -50000',
    'hold user_hold 50000',
    'hold_end user_hold -50000',
    'hold_end provider_clearing 50000',
  ]);
  expect(await rowsOf(depositId)).toEqual([
    'payment deposit 50000 refunded: deposit_credit hold hold_end',
    'refund operator 50000 succeeded: hold hold_end',
  ]);
});

test('[SRV-2] [SRV-3] a chargeback writes the rows that docs/money.md shows', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', eventId: `${depositId}-chargeback` }));
  expect(await postingsOf(depositId)).toEqual([
    ...credit,
    'deposit_reversal user -50000',
    'deposit_reversal provider_clearing 50000',
  ]);
  expect(await rowsOf(depositId)).toEqual([
    'payment deposit 50000 charged_back: deposit_credit deposit_reversal',
    'dispute 50000 open: deposit_reversal',
  ]);
});

test('[SRV-1] [SRV-3] a bounced refund that staff then sent by hand', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  const refundId = randomUUID();
  await bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId, staff: 'sam' });
  const sent = await findRefund(database, 'op', refundId);
  await back(depositId, { refundId: sent?.id ?? '' });
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
  expect(await rowsOf(depositId)).toEqual([
    'payment deposit 50000 refunded: deposit_credit hold hold_end',
    'payment returned 50000 refunded: suspense_in suspense_out',
    'refund operator 50000 bounced: hold hold_end',
    'refund review 50000 succeeded: suspense_out',
  ]);
});

test('[SRV-3] a second payment waits for the review of the first, and each is decided separately', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId, { paidMinor: 40_000n }));
  await bench.payments.apply(reportOf(depositId, { providerRef: `second-${depositId}` }));
  const reviews = () =>
    database.query({
      text: 'select origin, state, reason, review from payment where deposit_id = $1 order by origin',
      values: [depositId],
    });
  expect(await reviews()).toEqual([
    { origin: 'deposit', state: 'in_review', reason: 'underpaid', review: 1 },
    { origin: 'further', state: 'in_review', reason: 'second-payment', review: null },
  ]);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  expect(await reviews()).toEqual([
    { origin: 'deposit', state: 'credited', reason: 'underpaid', review: 1 },
    { origin: 'further', state: 'in_review', reason: 'second-payment', review: 2 },
  ]);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
  expect((await rowsOf(depositId)).at(-1)).toBe('refund review 50000 succeeded: suspense_out');
});
