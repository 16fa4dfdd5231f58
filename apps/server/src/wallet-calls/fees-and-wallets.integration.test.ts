/**
 * Deposits with a fee where the ledger does not keep the balance: the operator gets the rest. A refund
 * takes the rest back, and a chargeback the whole payment.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import {
  depositStateOf,
  failureOf,
  type OpenDeposit,
  openDepositOf,
} from '../payments/testing/with-payments.fixture.ts';
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

/** A deposit of 2000.00 INR, of which the fee takes 30.00. */
const openWithFee = (): Promise<OpenDeposit> => openDepositOf(bench, { paymentType: 'card_with_fee', amount: '2000' });

async function creditedWithFee(): Promise<OpenDeposit> {
  const opened = await openWithFee();
  await bench.payments.apply(reportOf(opened.depositId, { paidMinor: 200_000n }));
  await quiet();
  return opened;
}

const quiet = (): Promise<void> => askUntilAnswered(database, bench);

const ownAccount = (kind: 'deposit_fee' | 'operator_clearing'): Promise<bigint> =>
  accountBalance(database, 'op', { owner: '', asset: 'INR', kind });

const refund = (depositId: string) =>
  bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' });

describe('[SRV-2] with a wallet of the operator', () => {
  beforeEach(() => useWallet(database, wallet));

  test('a deposit is credited there less its fee', async () => {
    const fees = await ownAccount('deposit_fee');
    const { userId } = await creditedWithFee();
    expect(wallet.calls).toMatchObject([{ type: 'credit', reason: 'deposit', amount: '1970.00' }]);
    expect(wallet.balanceOf(userId)).toBe(197_000n);
    expect((await ownAccount('deposit_fee')) - fees).toBe(3_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('fee and debt are taken before the rest is credited there', async () => {
    const { caller, userId } = await (async () => {
      const first = await openDepositOf(bench);
      await bench.payments.apply(reportOf(first.depositId));
      await quiet();
      wallet.declines = { code: 'blocked' };
      await bench.payments.apply(reportOf(first.depositId, { outcome: 'reversed' }));
      await quiet();
      return first;
    })();
    expect((await ledgerOf(database, userId)).reversal_debt).toBe(-50_000n);
    wallet.declines = undefined;
    wallet.calls.length = 0;
    await database.query({ text: `update operator set debts_paid_by_deposits = true where id = 'op'` });
    const { payments } = bench;
    const { depositId } = await openDepositOf(bench, { paymentType: 'card_with_fee', amount: '2000' }, caller);
    await payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
    await quiet();
    await database.query({ text: `update operator set debts_paid_by_deposits = false where id = 'op'` });
    expect(wallet.calls).toMatchObject([{ type: 'credit', reason: 'deposit', amount: '1470.00', depositId }]);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('a fee of the whole payment leaves nothing to credit there, and nothing to ask for at a refund', async () => {
    const { depositId, userId } = await openWithFee();
    await bench.payments.apply(reportOf(depositId, { paidMinor: 900n }));
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    await quiet();
    expect(await depositStateOf(database, depositId)).toBe('credited');
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    expect((await refund(depositId)).state).toBe('succeeded');
    await quiet();
    expect(wallet.calls).toEqual([]);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('a refund takes from there what was credited there, and the fee from the fees', async () => {
    const { depositId, userId } = await creditedWithFee();
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    wallet.balances.set(`${userId} INR`, 196_900n);
    expect(await failureOf(refund(depositId))).toMatchObject({
      code: 'insufficient-funds',
      params: { max: '1969.00' },
    });
    wallet.balances.set(`${userId} INR`, 197_000n);
    const fees = await ownAccount('deposit_fee');
    expect((await refund(depositId)).state).toBe('succeeded');
    expect(wallet.balanceOf(userId)).toBe(0n);
    expect((await ownAccount('deposit_fee')) - fees).toBe(-3_000n);
    expect(await givenToOperator(database, userId)).toBe(0n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('a declined refund gives back there what it took from there', async () => {
    const { depositId, userId } = await creditedWithFee();
    const fees = await ownAccount('deposit_fee');
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
    expect((await refund(depositId)).state).toBe('declined');
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(197_000n);
    expect(await ownAccount('deposit_fee')).toBe(fees);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('a chargeback takes the whole payment by force, and the fee is no debt here', async () => {
    const { depositId, userId } = await creditedWithFee();
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', paidMinor: 200_000n }));
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(-3_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('the audit finds a call that somebody deleted or changed', async () => {
    const { depositId } = await creditedWithFee();
    class Undone extends Error {}
    for (const statement of [
      `delete from operator_wallet_call where deposit_id = '${depositId}'`,
      `update operator_wallet_call set amount = 200000 where deposit_id = '${depositId}'`,
    ]) {
      const work = database.transaction(async (transaction) => {
        await withoutTriggers(transaction, [statement]);
        const { faults } = await auditLedger(transaction);
        expect(faults.map(({ rule }) => rule)).toContain('wallet_call_agrees');
        throw new Undone();
      });
      await expect(work).rejects.toThrow(Undone);
    }
  });
});

describe('[SRV-2] where deposits only pass through', () => {
  beforeEach(() => setWalletMode(database, 'pass-through'));

  const before = async () => ({
    operator: await ownAccount('operator_clearing'),
    fees: await ownAccount('deposit_fee'),
  });
  const since = async (start: Awaited<ReturnType<typeof before>>) => ({
    operator: (await ownAccount('operator_clearing')) - start.operator,
    fees: (await ownAccount('deposit_fee')) - start.fees,
  });

  test('the operator gets a deposit less its fee, and a refund takes both back', async () => {
    const start = await before();
    const { depositId, userId } = await creditedWithFee();
    expect(await since(start)).toEqual({ operator: 197_000n, fees: 3_000n });
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
    expect((await refund(depositId)).state).toBe('declined');
    expect(await since(start)).toEqual({ operator: 197_000n, fees: 3_000n });
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    expect((await refund(depositId)).state).toBe('succeeded');
    expect(await since(start)).toEqual({ operator: 0n, fees: 0n });
    expect(await givenToOperator(database, userId)).toBe(0n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('a chargeback takes the whole payment from the operator, which keeps the fee', async () => {
    const start = await before();
    const { depositId, userId } = await creditedWithFee();
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', paidMinor: 200_000n }));
    expect(await since(start)).toEqual({ operator: -3_000n, fees: 3_000n });
    expect(await givenToOperator(database, userId)).toBe(-3_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });
});
