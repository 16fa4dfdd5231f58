/** Refunds of deposits with a fee where the operator keeps the balances: each side gets back what it gave. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { betweenReads } from '../database/testing/intercepted.fixture.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { type Bench, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  givenToOperator,
  ledgerOf,
  nothingHere,
  setWalletMode,
  useWallet,
  withWalletPayments,
} from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});
beforeEach(() => useWallet(database, wallet));

/** A credited deposit of 500.00 INR, of which 10.00 are the fee. */
async function credited(): Promise<{ readonly depositId: string; readonly userId: string }> {
  const opened = await openDepositOf(bench, { paymentType: 'card_with_fee' });
  await bench.payments.apply(reportOf(opened.depositId));
  await bench.payments.runDueWork();
  return opened;
}

const refund = (depositId: string) =>
  bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' });

test('[SRV-2] the wallet is asked for a refund when the credit of the deposit is known, not before', async () => {
  wallet.always = 'lost';
  const { depositId, userId } = await credited();
  wallet.always = undefined;
  wallet.calls.length = 0;
  // The answer names the whole credited amount, as every later answer does, although the wallet gives it without the fee.
  expect(await refund(depositId)).toMatchObject({ state: 'requested', amount: 50_000n });
  expect(wallet.calls).toEqual([]);
  await askUntilAnswered(database, bench);
  expect(wallet.calls.map(({ type }) => type)).toEqual(['credit', 'debit']);
  expect(wallet.balanceOf(userId)).toBe(0n);
});

test.each([1, 2])(
  '[SRV-2] a repeated request says that the refund goes on, also if the wallet answers another node after its read %i',
  async (nth) => {
    const { depositId, userId } = await credited();
    wallet.always = 'lost';
    const request = { operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' };
    expect((await bench.payments.refundDeposit(request)).state).toBe('requested');
    wallet.always = undefined;
    let reads = 0;
    const overtaken = betweenReads(database, async (answered) => {
      reads = answered;
      if (reads === nth) await askUntilAnswered(database, bench);
    });
    const repeated = await createBench(overtaken).payments.refundDeposit(request);
    expect(reads).toBeGreaterThanOrEqual(2);
    expect(repeated.state).toMatch(/^(?:requested|accepted|succeeded)$/);
    expect(wallet.balanceOf(userId)).toBe(0n);
  },
);

test('[SRV-1] a refund that the wallet declined says why, also if staff have asked for another one meanwhile', async () => {
  const { depositId } = await credited();
  wallet.always = 'lost';
  const request = { operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' };
  expect((await bench.payments.refundDeposit(request)).state).toBe('requested');
  const overtaken = betweenReads(database, async (reads) => {
    if (reads > 0) return;
    wallet.always = undefined;
    wallet.declines = { code: 'insufficient-funds' };
    await askUntilAnswered(database, bench);
    wallet.always = 'lost';
    expect((await refund(depositId)).state).toBe('requested');
  });
  const repeated = createBench(overtaken).payments.refundDeposit(request);
  await expect(repeated).rejects.toMatchObject({ code: 'insufficient-funds' });
  // A repeat of a declined refund never asks the wallet again, however the other one ended.
  for (const other of ['waiting', 'declined']) {
    if (other === 'declined') {
      wallet.always = undefined;
      await askUntilAnswered(database, bench);
    }
    await expect(bench.payments.refundDeposit(request)).rejects.toMatchObject({ code: 'insufficient-funds' });
  }
  const asked = await database.query({
    text: 'select 1 from operator_wallet_call where deposit_id = $1',
    values: [depositId],
  });
  expect(asked, 'a credit and two debits').toHaveLength(3);
});

test('[SRV-1] a refundId that another deposit uses at the same moment is refused, and its amount goes back', async () => {
  const [one, other] = [await credited(), await credited()];
  wallet.always = 'lost';
  const request = { operatorId: 'op', depositId: one.depositId, refundId: randomUUID(), staff: 'sam' };
  await bench.payments.refundDeposit(request);
  wallet.always = undefined;
  const overtaken = betweenReads(database, async (reads) => {
    if (reads === 0) await askUntilAnswered(database, bench);
  });
  const second = createBench(overtaken).payments.refundDeposit({ ...request, depositId: other.depositId });
  await expect(second).rejects.toMatchObject({ code: 'idempotency-conflict' });
  expect(await bench.payments.refundDeposit(request)).toMatchObject({ depositId: one.depositId });
  await askUntilAnswered(database, bench);
  expect(wallet.balanceOf(one.userId) + wallet.balanceOf(other.userId)).toBe(49_000n);
});

const fees = (): Promise<bigint> => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'deposit_fee' });

test('[SRV-2] a refund that the provider declines gives the wallet what it gave, and the fee account its fee', async () => {
  const { depositId, userId } = await credited();
  const before = await fees();
  bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
  expect((await refund(depositId)).state).toBe('declined');
  await bench.payments.runDueWork();
  expect(wallet.balanceOf(userId)).toBe(49_000n);
  expect(wallet.calls.map((call) => [call.type, 'amount' in call && call.amount])).toEqual([
    ['credit', '490.00'],
    ['debit', '490.00'],
    ['release', '490.00'],
  ]);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  expect(await fees()).toBe(before);
});

test('[SRV-2] a declined refund goes back to an operator that passes deposits through, without the fee', async () => {
  await setWalletMode(database, 'pass-through');
  const { depositId, userId } = await credited();
  const before = await fees();
  bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
  expect((await refund(depositId)).state).toBe('declined');
  expect(await givenToOperator(database, userId)).toBe(49_000n);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  expect(await fees()).toBe(before);
});

test('[SRV-2] the refund of a payment that was all fee asks no wallet', async () => {
  const { depositId, userId } = await openDepositOf(bench, { paymentType: 'card_with_fee' });
  await bench.payments.apply(reportOf(depositId, { paidMinor: 900n }));
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  expect((await refund(depositId)).state).toBe('succeeded');
  expect(wallet.calls).toEqual([]);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
});
