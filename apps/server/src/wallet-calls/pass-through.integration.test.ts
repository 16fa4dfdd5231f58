/** Operators that only pass deposits through: the user never holds money here. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import {
  creditsOf,
  depositStateOf,
  failureOf,
  openDepositOf,
  withPayments,
} from '../payments/testing/with-payments.fixture.ts';
import { intent, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { givenToOperator, ledgerOf, nothingHere, setWalletMode } from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});
beforeEach(() => setWalletMode(database, 'pass-through'));

const operatorHas = (): Promise<bigint> =>
  accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'operator_clearing' });

test('[SRV-2] a deposit and its transfer to the operator are one transaction, so the user holds nothing here', async () => {
  const before = await operatorHas();
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  expect(await depositStateOf(database, depositId)).toBe('credited');
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  expect((await operatorHas()) - before).toBe(50_000n);
  expect(await givenToOperator(database, userId)).toBe(50_000n);
  const [times] = await database.query<{ transactions: number }>({
    text: `select count(distinct journal.at)::int as transactions from journal join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id where account.owner = $1`,
    values: [userId],
  });
  expect(times?.transactions).toBe(1);
  // A repeated report books nothing more.
  await bench.payments.apply(reportOf(depositId));
  expect(await creditsOf(database, depositId)).toBe(1);
  expect((await operatorHas()) - before).toBe(50_000n);
});

test('[SRV-3] money that staff credit after a review goes to the operator, too', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId, { paidMinor: 40_000n }));
  expect(await givenToOperator(database, userId)).toBe(0n);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  expect(await givenToOperator(database, userId)).toBe(40_000n);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
});

test('[SRV-2] a chargeback is taken from the operator, and the user owes nothing here', async () => {
  const before = await operatorHas();
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  expect(await depositStateOf(database, depositId)).toBe('reversed');
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  expect(await operatorHas()).toBe(before);
});

test('[SRV-1] a refund is taken from the operator, and a declined refund goes back to it', async () => {
  const before = await operatorHas();
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
  const declined = await bench.payments.refundDeposit({
    operatorId: 'op',
    depositId,
    refundId: randomUUID(),
    staff: 'sam',
  });
  expect(declined.state).toBe('declined');
  expect((await operatorHas()) - before).toBe(50_000n);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  const sent = await bench.payments.refundDeposit({
    operatorId: 'op',
    depositId,
    refundId: randomUUID(),
    staff: 'sam',
  });
  expect(sent.state).toBe('succeeded');
  expect(await operatorHas()).toBe(before);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
});

test('[WD-2] a withdrawal is refused by the server, also when a balance is left here', async () => {
  const caller = await richUser(database);
  const { code } = await failureOf(bench.payments.withdrawals.create(intent(caller)));
  expect(code).toBe('method-unavailable');
  expect((await ledgerOf(database, caller.userId)).user).toBe(100_000n);
});

test('[SRV-2] the audit finds no fault', async () => {
  expect((await auditLedger(database)).faults).toEqual([]);
});
