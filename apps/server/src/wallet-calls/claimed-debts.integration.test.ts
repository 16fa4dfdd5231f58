/** Debts that the operator's wallet was asked for: which freezes end by themselves, and which wait for staff (SRV-1, SRV-2). */
import { randomUUID } from 'node:crypto';
import { toDecimalString } from '@opencashier/core/money/money';
import { beforeEach, describe, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { changeDebtSettings, debtPage, settleDebtOnce } from '../operator-api/money/debts.ts';
import { frozenPage, releaseAccountOnce } from '../operator-api/money/frozen-accounts.ts';
import { openOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { transferFunds } from '../operator-api/users/transfer-funds.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  givenToOperator,
  isFrozen,
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
beforeEach(async () => {
  await useWallet(database, wallet);
  await changeDebtSettings(database, 'op', { by: 'eve' }, { releasedWhenPaid: false });
});

const sandbox = {
  SANDBOX: '1',
  SANDBOX_PROVIDER_SECRET: `whsec_${'s'.repeat(32)}`,
  DATABASE_URL: 'postgres://of-this-test',
};
const quiet = (): Promise<void> => askUntilAnswered(database, bench);

async function credited(known?: Caller) {
  const opened = await openDepositOf(bench, {}, known);
  await bench.payments.apply(reportOf(opened.depositId));
  await quiet();
  return opened;
}

const chargeBack = (depositId: string) => bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));

/** Lets the wallet be asked about the waiting calls of one payment alone. */
async function askAbout(depositId: string): Promise<void> {
  await database.query({
    text: `update operator_wallet_queue set due_at = case when payment_id = $1 then now() else 'infinity' end`,
    values: [depositId],
  });
  await bench.payments.runDueWork();
}

const decision = (userId: string) => ({
  userId,
  currency: 'INR',
  decisionId: randomUUID(),
  decidedBy: 'eve',
  reason: 'agreed',
});

const isListed = async (userId: string): Promise<boolean> =>
  (await frozenPage(database, 'op', { limit: 100 })).accounts.some((account) => account.userId === userId);

test.each([
  ['first the older one', [0, 1]],
  ['first the newer one', [1, 0]],
])('[SRV-2] the wallet pays two chargebacks of a user, %s, and the account is free again', async (_order, order) => {
  const first = await credited();
  const second = await credited(first.caller);
  const deposits = [first.depositId, second.depositId];
  for (const depositId of deposits) await chargeBack(depositId);
  for (const index of order) {
    expect(await isFrozen(database, first.userId)).toBe(true);
    await askAbout(deposits[index] ?? '');
  }
  expect(await ledgerOf(database, first.userId)).toEqual(nothingHere);
  expect(await isFrozen(database, first.userId)).toBe(false);
  const released = await database.query<{ by: string }>({
    text: `select decided_by as by from account_release join account on account.id = account_id where owner = $1`,
    values: [first.userId],
  });
  expect(released).toEqual([{ by: 'rule:operator-wallet' }]);
});

test('[SRV-1] after a "no" of the wallet the freeze is for staff, also if the wallet pays a later chargeback', async () => {
  const first = await credited();
  const second = await credited(first.caller);
  const { userId } = first;
  wallet.declines = { code: 'blocked' };
  await chargeBack(first.depositId);
  await quiet();
  wallet.declines = undefined;
  await settleDebtOnce(database, 'op', { ...decision(userId), from: 'operator' });
  await chargeBack(second.depositId);
  await quiet();
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
  expect(await isListed(userId)).toBe(true);
  expect(await releaseAccountOnce(database, 'op', decision(userId))).toMatchObject({ debt: '0.00' });
  expect(await isFrozen(database, userId)).toBe(false);
});

test('[SRV-1] a freeze by an older debt stays for staff when the wallet pays a newer one', async () => {
  const older = await credited();
  const newer = await credited(older.caller);
  const { userId } = older;
  // As if the debt had arisen while the balance counted here.
  await chargeBack(older.depositId);
  const forget = `update operator_wallet_call set frozen_since = null where is_forced and deposit_id = '${older.depositId}'`;
  await database.transaction((transaction) => withoutTriggers(transaction, [forget]));
  await settleDebtOnce(database, 'op', { ...decision(userId), from: 'operator' });
  await chargeBack(newer.depositId);
  await askAbout(newer.depositId);
  expect((await ledgerOf(database, userId)).reversal_debt).toBe(0n);
  expect(await isListed(userId)).toBe(true);
});

test.each([true, false])(
  '[SRV-2] a debit for a debt that staff settled meanwhile goes back, with releases when paid: %s',
  async (releasedWhenPaid) => {
    await changeDebtSettings(database, 'op', { by: 'eve' }, { releasedWhenPaid });
    const { depositId, userId } = await credited();
    wallet.always = 'late';
    await chargeBack(depositId);
    await bench.payments.runDueWork();
    await settleDebtOnce(database, 'op', { ...decision(userId), from: 'operator' });
    if (!releasedWhenPaid) await releaseAccountOnce(database, 'op', decision(userId));
    wallet.always = undefined;
    await quiet();
    expect(wallet.balanceOf(userId)).toBe(50_000n);
    expect(await givenToOperator(database, userId)).toBe(50_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(await isFrozen(database, userId)).toBe(false);
  },
);

describe('[SRV-1] [SRV-2] staff claim a debt', () => {
  const claimOf = (userId: string) => ({ ...decision(userId) });
  const debtOf = async (userId: string) => (await debtPage(database, 'op', { limit: 10, userId })).debts[0];
  const codeOfClaim = async (body: object): Promise<string> => {
    const api = await openOperatorApi(database, bench.payments);
    const { status, code } = await api.ask('/debts/claim', body);
    await api.close();
    return `${status} ${code}`;
  };

  test('after the wallet declined it: the wallet is asked once more, and its payment ends the debt', async () => {
    const { depositId, userId } = await credited();
    wallet.declines = { code: 'blocked' };
    await chargeBack(depositId);
    expect(await debtOf(userId)).toMatchObject({ claim: { state: 'waiting', amount: '500.00' } });
    const request = claimOf(userId);
    expect(await codeOfClaim(request)).toBe('409 state-conflict');
    await quiet();
    expect(await debtOf(userId)).toMatchObject({ debt: '500.00', claim: { state: 'declined', code: 'blocked' } });
    const listed = await runCommand('debts list pk', { environment: sandbox, open: keptOpen(database) });
    expect(listed.out).toMatch(new RegExp(`${userId}.*declined blocked`));

    // A part is paid in another way meanwhile.
    await settleDebtOnce(database, 'op', { ...decision(userId), from: 'operator', amount: '100.00' });
    wallet.declines = undefined;
    wallet.calls.length = 0;
    const api = await openOperatorApi(database, bench.payments);
    const claimed = await api.ask('/debts/claim', request);
    expect(claimed).toMatchObject({ status: 200, body: { amount: '400.00', state: 'waiting', decidedBy: 'eve' } });
    await quiet();
    expect((await api.ask('/debts/claim', request)).body).toMatchObject({ amount: '400.00', state: 'done' });
    await api.close();
    expect(wallet.calls).toMatchObject([
      { type: 'debit', reason: 'chargeback', forced: true, amount: '400.00', depositId },
    ]);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect(await isListed(userId)).toBe(true);
    expect(await codeOfClaim({ ...request, decidedBy: 'bob' })).toBe('422 idempotency-conflict');
    expect(await codeOfClaim(claimOf(userId))).toBe('409 state-conflict');
  });

  test('that is older than the wallet: the command asks for it, about the payment that raised it', async () => {
    await setWalletMode(database, 'cashier');
    const { depositId, userId } = await openDepositOf(bench);
    await bench.payments.apply(reportOf(depositId));
    await spend(userId, 50_000n);
    await chargeBack(depositId);
    const claim = () =>
      runCommand(`debts claim pk ${userId} INR --by eve --reason agreed`, {
        environment: sandbox,
        open: keptOpen(database),
      });
    const early = await claim();
    expect(early.exitCode).toBe(1);
    expect(early.errors).toContain('No wallet of yours keeps this balance');
    await useWallet(database, wallet);
    expect((await debtOf(userId))?.claim).toBeUndefined();
    expect(await claim()).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('The wallet is asked for 500.00 INR.'),
    });
    await quiet();
    expect(wallet.calls).toMatchObject([{ type: 'debit', amount: '500.00', reason: 'chargeback', depositId }]);
    expect((await ledgerOf(database, userId)).reversal_debt).toBe(0n);
    expect(await isListed(userId)).toBe(true);
  });

  test('with a decisionId that another account of the operator has used: it is refused, and nobody is asked', async () => {
    wallet.declines = { code: 'blocked' };
    const [first, second] = [await credited(), await credited()];
    for (const { depositId } of [first, second]) await chargeBack(depositId);
    await quiet();
    const request = claimOf(first.userId);
    expect(await codeOfClaim(request)).toBe('200 ok');
    await quiet();
    wallet.calls.length = 0;
    expect(await codeOfClaim({ ...request, userId: second.userId })).toBe('422 idempotency-conflict');
    await quiet();
    expect(wallet.calls).toEqual([]);
    expect(await debtOf(second.userId)).toMatchObject({ claim: { state: 'declined' } });
  });

  test('of an account that nobody has is not found', async () => {
    expect(await codeOfClaim(claimOf('nobody'))).toBe('404 not-found');
  });

  /** Takes money of the user into the operator's system. */
  async function spend(userId: string, amount: bigint): Promise<void> {
    const transferId = randomUUID();
    const move = {
      transferId,
      currency: 'INR',
      amount: toDecimalString(amount, 2),
      from: 'main',
      to: 'operator',
    } as const;
    await transferFunds(database, 'op', userId, move);
  }
});
