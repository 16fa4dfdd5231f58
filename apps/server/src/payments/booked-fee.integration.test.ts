/** The fee of a deposit is what was booked: the payment keeps it, the database refuses another, and the audit compares both (SRV-2). */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { paidFee } from '../deposits/deposit-row.ts';
import { lockDeposit } from '../deposits/deposit-store.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger, auditSincePoints } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { type Bench, reportOf } from './testing/payments.fixture.ts';
import { openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

let depositId: string;
let userId: string;
let paymentId: string;
let feeJournal: string;
/** A credited deposit of 2000.00 INR, of which the fee took 30.00. */
beforeEach(async () => {
  ({ depositId, userId } = await openDepositOf(bench, { paymentType: 'card_with_fee', amount: '2000' }));
  await bench.payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
  const [found] = await database.query<{ payment: string; fee: string }>({
    text: `select payment_id as payment, id as fee from journal where deposit_id = $1 and kind = 'deposit_fee'`,
    values: [depositId],
  });
  paymentId = found?.payment ?? '';
  feeJournal = found?.fee ?? '';
});

const withFee = (fee: string): string[] => [
  `update payment set charged_fee = ${fee} where id = '${paymentId}'`,
  `update deposit set charged_fee = ${fee} where id = '${depositId}'`,
];
const withoutJournal = (): string[] => [
  `delete from journal_key where journal_id = '${feeJournal}'`,
  `delete from posting where journal_id = '${feeJournal}'`,
  `delete from journal where id = '${feeJournal}'`,
  `update account set balance = balance + 3000 where kind = 'user' and owner = '${userId}'`,
];
/** The user pays 40.00 instead. */
const otherAmount = (): string[] => [
  `update posting set amount = amount + case when amount < 0 then -1000 else 1000 end where journal_id = '${feeJournal}'`,
  `update account set balance = balance - 1000 where kind = 'user' and owner = '${userId}'`,
];

test.each([
  ['a fee that nobody booked', () => withoutJournal(), () => `payment ${paymentId}`],
  ['a fee that nobody charged', () => [...withoutJournal(), ...withFee('null')], () => `payment ${paymentId}`],
  ['a fee of zero that was booked', () => withFee('0'), () => `payment ${paymentId}`],
  ['another fee in the ledger', otherAmount, () => `journal ${feeJournal}`],
  ['another fee of the payment', () => withFee('2000'), () => `journal ${feeJournal}`],
  ['another fee of the deposit', () => withFee('2000').slice(1), () => `deposit ${depositId}`],
])('[SRV-2] both audits find %s', async (_what, statements, subject) => {
  const audits = await rolledBack(database, async (transaction) => {
    await storeAuditPoints(transaction);
    await withoutTriggers(transaction, statements());
    return [await auditLedger(transaction), await auditSincePoints(transaction)];
  });
  for (const { faults, wrongBalances } of audits) {
    expect(wrongBalances).toEqual([]);
    expect(faults.map((fault) => fault.subject)).toContain(subject());
    const rules = new Set(faults.map(({ rule }) => rule));
    expect([...rules].filter((rule) => rule === 'deposit_fee_agrees' || rule === 'deposit_payments_agree')).not.toEqual(
      [],
    );
  }
});

test('[SRV-2] the database refuses another fee after the credit, and a fee that no journal books', async () => {
  const changed = database.query({ text: withFee('2000')[0] ?? '' });
  expect(await changed.then(() => 'accepted', constraintOf)).toBe('payment_immutable');
  const plain = await openDepositOf(bench);
  await bench.payments.apply(reportOf(plain.depositId));
  const charged = database.transaction(async (transaction) => {
    for (const table of [`payment set charged_fee = 5 where deposit_id`, `deposit set charged_fee = 5 where id`]) {
      await transaction.query({ text: `update ${table} = '${plain.depositId}'` });
    }
  });
  expect(await charged.then(() => 'accepted', constraintOf)).toBe('deposit_fee_agrees');
});

test('[SRV-2] a refund gives back the fee that was booked, also if the rule would give another today', async () => {
  const fee = await rolledBack(database, async (transaction) => {
    await withoutTriggers(transaction, [`update deposit set fee = '{"percent": "50"}' where id = '${depositId}'`]);
    const row = await lockDeposit(transaction, { operatorId: 'op', id: depositId });
    return row && paidFee(row);
  });
  expect(fee).toBe(3_000n);
});
