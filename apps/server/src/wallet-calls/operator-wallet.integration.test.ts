/** Operators whose own wallet keeps the balance: one movement in the operator's book for each one here, whatever fails. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, commandOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { intent, reportOn } from '../withdrawals/withdrawals.fixture.ts';
import {
  askWellBehaved,
  type Behaviour,
  endPauses,
  type FakeWallet,
  givenToOperator,
  isFrozen,
  ledgerOf,
  nothingHere,
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

const misbehaviours: readonly Behaviour[] = ['lost', 'late', 'broken', 'lie', 'garbage'];

const quiet = (): Promise<void> => askWellBehaved(database, bench, wallet);

async function credited(): Promise<{ readonly depositId: string; readonly userId: string; readonly caller: Caller }> {
  const opened = await openDepositOf(bench);
  await bench.payments.apply(reportOf(opened.depositId));
  await bench.payments.runDueWork();
  return opened;
}

const executedOf = (userId: string, type: string) =>
  [...wallet.executed.values()].filter((call) => call.userId === userId && call.type === type);

/** The operator's book and ours say the same about a user. */
async function expectSameBooks(userId: string, start = 0n): Promise<void> {
  expect(wallet.balanceOf(userId) - start).toBe(await givenToOperator(database, userId));
}

describe('[SRV-2] a deposit', () => {
  test('is credited by one call, and is in transit until the wallet has answered', async () => {
    const { depositId, userId } = await openDepositOf(bench);
    await bench.payments.apply(reportOf(depositId));
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, wallet_transit: 50_000n });
    await bench.payments.runDueWork();
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(wallet.balanceOf(userId)).toBe(50_000n);
    expect(wallet.calls).toMatchObject([
      { type: 'credit', reason: 'deposit', amount: '500.00', currency: 'INR', depositId, userId },
    ]);
  });

  test.each(misbehaviours)('is credited once, although the first three calls meet "%s"', async (behaviour) => {
    wallet.script.push(behaviour, behaviour, behaviour);
    const { userId } = await credited();
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, wallet_transit: 50_000n });
    for (let tries = 0; tries < 2; tries += 1) {
      await endPauses(database);
      await bench.payments.runDueWork();
      expect((await ledgerOf(database, userId)).wallet_transit).toBe(50_000n);
    }
    await quiet();
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(executedOf(userId, 'credit')).toHaveLength(1);
    expect(new Set(wallet.calls.map(({ id }) => id)).size).toBe(1);
    await expectSameBooks(userId);
  });

  test.each([
    ['declines', 'decline'],
    ['confirms with another amount', 'lie'],
  ] as const)(
    'that the wallet %s stays in transit and alerts staff: what a user owns is never refused',
    async (_what, behaviour) => {
      const { depositId, userId } = await openDepositOf(bench);
      wallet.always = behaviour;
      await bench.payments.apply(reportOf(depositId));
      await bench.payments.runDueWork();
      expect(bench.logs.some(({ level, message }) => level === 'error' && message.includes('wallet'))).toBe(true);
      expect((await ledgerOf(database, userId)).wallet_transit).toBe(50_000n);
      await quiet();
      expect(wallet.balanceOf(userId)).toBe(50_000n);
    },
  );
});

describe('[WD-2] a withdrawal', () => {
  test('takes the amount from the wallet, holds it and pays it out', async () => {
    const { caller, userId } = await credited();
    const { request } = intent(caller, { amount: '400.00' });
    expect((await bench.payments.withdrawals.create({ caller, request })).status).toBe(0);
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, user_hold: 40_000n });
    expect(wallet.balanceOf(userId)).toBe(10_000n);
    await bench.payments.withdrawals.confirm(caller, request.withdrawalId);
    await bench.payments.withdrawals.apply(reportOn(request.withdrawalId, { paidMinor: 38_900n }));
    await quiet();
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(executedOf(userId, 'debit')).toHaveLength(1);
    expect(executedOf(userId, 'release')).toHaveLength(0);
    await expectSameBooks(userId);
  });

  test("of money that was lost in the operator's game is refused, and nothing is booked", async () => {
    const { caller, userId } = await credited();
    wallet.balances.set(`${userId} INR`, 0n);
    const command = intent(caller, { amount: '400.00' });
    const refused = { code: 'insufficient-funds', params: { max: '0.00' } };
    expect(await failureOf(bench.payments.withdrawals.create(command))).toMatchObject(refused);
    // A repeat gets the same answer, and the wallet is not asked again.
    const asked = wallet.calls.length;
    expect(await failureOf(bench.payments.withdrawals.create(command))).toMatchObject(refused);
    expect(wallet.calls).toHaveLength(asked);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test("that the wallet blocks shows the operator's own words", async () => {
    const { caller } = await credited();
    const message = 'Please verify your identity first.';
    wallet.declines = { code: 'blocked', message };
    const refused = bench.payments.withdrawals.create(intent(caller, { amount: '400.00' }));
    await expect(refused).rejects.toMatchObject({ code: 'banking.merchantClientError', message });
  });

  test.each(misbehaviours)(
    'is being checked while the wallet answers "%s", and is then held once',
    async (behaviour) => {
      const { caller, userId } = await credited();
      wallet.script.push(behaviour, behaviour);
      const { request } = intent(caller, { amount: '400.00' });
      expect((await bench.payments.withdrawals.create({ caller, request })).status).toBe(3);
      const seen = await bench.payments.withdrawals.status(caller, request.withdrawalId);
      expect(seen).toMatchObject({ status: 3, isOutcomeUnknown: true, canCancel: true });
      expect(await ledgerOf(database, userId)).toEqual(nothingHere);
      expect(await failureOf(bench.payments.withdrawals.confirm(caller, request.withdrawalId))).toMatchObject({
        code: 'unknown-outcome',
      });
      await quiet();
      expect((await bench.payments.withdrawals.status(caller, request.withdrawalId)).status).toBe(0);
      expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, user_hold: 40_000n });
      expect(executedOf(userId, 'debit')).toHaveLength(1);
      await expectSameBooks(userId);
    },
  );

  test.each(misbehaviours)(
    'that is cancelled while the wallet answers "%s" gives the amount back',
    async (behaviour) => {
      const { caller, userId } = await credited();
      wallet.script.push(behaviour, behaviour, behaviour);
      const { request } = intent(caller, { amount: '400.00' });
      await bench.payments.withdrawals.create({ caller, request });
      expect((await bench.payments.withdrawals.cancel(caller, request.withdrawalId)).status).toBe(2);
      await quiet();
      expect(await ledgerOf(database, userId)).toEqual(nothingHere);
      expect(wallet.balanceOf(userId)).toBe(50_000n);
      expect(executedOf(userId, 'debit')).toHaveLength(executedOf(userId, 'release').length);
      await expectSameBooks(userId);
    },
  );

  test.each([
    ['cancelled by its user', async (caller: Caller, id: string) => bench.payments.withdrawals.cancel(caller, id)],
    [
      'declined by its provider',
      async (caller: Caller, id: string) => {
        await bench.payments.withdrawals.confirm(caller, id);
        await bench.payments.withdrawals.apply(reportOn(id, { outcome: 'declined' }));
      },
    ],
  ])('that is %s goes back to the wallet by one release, however often it is lost', async (_how, end) => {
    const { caller, userId } = await credited();
    const { request } = intent(caller, { amount: '400.00' });
    await bench.payments.withdrawals.create({ caller, request });
    wallet.script.push('late', 'lost', 'broken');
    await end(caller, request.withdrawalId);
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, wallet_transit: 40_000n });
    await quiet();
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(wallet.balanceOf(userId)).toBe(50_000n);
    const [debit] = executedOf(userId, 'debit');
    expect(executedOf(userId, 'release')).toMatchObject([{ debitId: debit?.id, withdrawalId: request.withdrawalId }]);
  });

  test('that was paid and came back is credited to the wallet', async () => {
    const { caller, userId } = await credited();
    const { request } = intent(caller, { amount: '400.00' });
    await bench.payments.withdrawals.create({ caller, request });
    await bench.payments.withdrawals.confirm(caller, request.withdrawalId);
    await bench.payments.withdrawals.apply(reportOn(request.withdrawalId, { paidMinor: 38_900n }));
    await bench.payments.withdrawals.apply(reportOn(request.withdrawalId, { outcome: 'returned', paidMinor: 38_900n }));
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(50_000n);
    expect(executedOf(userId, 'credit').map((call) => 'reason' in call && call.reason)).toEqual([
      'deposit',
      'withdrawal-returned',
    ]);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('cannot be created twice at the same time for more than the wallet has', async () => {
    const { caller, userId } = await credited();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        failureOf(bench.payments.withdrawals.create(intent(caller, { amount: '200.00' }))),
      ),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([
      'insufficient-funds',
      'insufficient-funds',
      'insufficient-funds',
      'ok',
      'ok',
    ]);
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, user_hold: 40_000n });
    expect(wallet.balanceOf(userId)).toBe(10_000n);
  });

  test('cannot spend a deposit that is still in transit', async () => {
    wallet.always = 'lost';
    const { depositId, caller, userId } = await openDepositOf(bench);
    await bench.payments.apply(reportOf(depositId));
    await bench.payments.runDueWork();
    wallet.always = undefined;
    expect(await failureOf(bench.payments.withdrawals.create(intent(caller, { amount: '400.00' })))).toMatchObject({
      code: 'insufficient-funds',
    });
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(50_000n);
  });
});

describe('[SRV-1] a refund', () => {
  const refund = (depositId: string, refundId: string = randomUUID()) =>
    bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId, staff: 'sam' });

  test('takes the amount from the wallet before the provider is asked', async () => {
    const { depositId, userId } = await credited();
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    expect((await refund(depositId)).state).toBe('succeeded');
    expect(wallet.balanceOf(userId)).toBe(0n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    await expectSameBooks(userId);
  });

  test('that the wallet does not cover is refused, and the provider is not asked', async () => {
    const { depositId, userId } = await credited();
    wallet.balances.set(`${userId} INR`, 100n);
    const refundId = randomUUID();
    const refused = { code: 'insufficient-funds', params: { max: '1.00' } };
    expect(await failureOf(refund(depositId, refundId))).toMatchObject(refused);
    expect(await failureOf(refund(depositId, refundId))).toMatchObject(refused);
    expect(bench.provider.refunds).toEqual([]);
  });

  test.each(misbehaviours)('is pending while the wallet answers "%s", and is then paid once', async (behaviour) => {
    const { depositId, userId } = await credited();
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    wallet.script.push(behaviour);
    const refundId = randomUUID();
    expect((await refund(depositId, refundId)).state).toBe('requested');
    expect((await failureOf(refund(depositId))).code).toBe('state-conflict');
    await quiet();
    await database.query({ text: `update refund set check_at = now() where check_at is not null` });
    await bench.payments.runDueWork();
    expect((await refund(depositId, refundId)).state).toBe('succeeded');
    expect(wallet.balanceOf(userId)).toBe(0n);
    expect(bench.provider.refunds).toHaveLength(1);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('that the provider declines goes back to the wallet', async () => {
    const { depositId, userId } = await credited();
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
    expect((await refund(depositId)).state).toBe('declined');
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(50_000n);
    expect(executedOf(userId, 'release')).toMatchObject([{ reason: 'refund' }]);
  });

  test('that a chargeback overtakes goes back to the wallet, which then pays the chargeback', async () => {
    const { depositId, userId } = await credited();
    wallet.script.push('late');
    await refund(depositId);
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(0n);
    expect(bench.provider.refunds).toEqual([]);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    await expectSameBooks(userId);
  });
});

describe('[SRV-2] a chargeback', () => {
  test('is taken from the wallet by force, and the account is free again', async () => {
    const { depositId, userId } = await credited();
    wallet.balances.set(`${userId} INR`, 0n);
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    expect((await ledgerOf(database, userId)).reversal_debt).toBe(-50_000n);
    await quiet();
    expect(executedOf(userId, 'debit')).toMatchObject([{ reason: 'chargeback', forced: true, depositId }]);
    expect(wallet.balanceOf(userId)).toBe(-50_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(await isFrozen(database, userId)).toBe(false);
  });

  test('is over although the wallet answers a balance below zero, and so is the next deposit', async () => {
    const { depositId, caller, userId } = await credited();
    wallet.balances.set(`${userId} INR`, -10_000n);
    wallet.showsDebts = true;
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    await bench.payments.runDueWork();
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(await isFrozen(database, userId)).toBe(false);
    const next = commandOf({}, caller);
    await bench.payments.createDeposit(next);
    await bench.payments.apply(reportOf(next.request.depositId));
    await bench.payments.runDueWork();
    expect(wallet.balanceOf(userId)).toBe(-10_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  });

  test('that the wallet declines is a debt of the user, who cannot withdraw', async () => {
    const { depositId, caller, userId } = await credited();
    wallet.declines = { code: 'blocked' };
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    await quiet();
    expect(await ledgerOf(database, userId)).toEqual({ ...nothingHere, reversal_debt: -50_000n });
    expect(await isFrozen(database, userId)).toBe(true);
    const asked = wallet.calls.length;
    expect((await failureOf(bench.payments.withdrawals.create(intent(caller, { amount: '400.00' })))).code).toBe(
      'method-unavailable',
    );
    expect(wallet.calls).toHaveLength(asked);
  });

  test('waits until the credit of its deposit is known', async () => {
    wallet.always = 'late';
    const { depositId, userId } = await openDepositOf(bench);
    await bench.payments.apply(reportOf(depositId));
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    await bench.payments.runDueWork();
    expect(wallet.calls.map(({ type }) => type)).toEqual(['credit']);
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(0n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(await isFrozen(database, userId)).toBe(false);
  });
});

test('[SRV-2] the audit finds no fault, also while money is in transit', async () => {
  wallet.always = 'lost';
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.runDueWork();
  expect((await auditLedger(database)).faults).toEqual([]);
  await quiet();
  expect((await auditLedger(database)).faults).toEqual([]);
});
