/** Debts that the operator's wallet was asked for: which freezes end by themselves, and which wait for staff (SRV-1, SRV-2). */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { changeDebtSettings, settleDebtOnce } from '../operator-api/money/debts.ts';
import { frozenPage, releaseAccountOnce } from '../operator-api/money/frozen-accounts.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  givenToOperator,
  isFrozen,
  ledgerOf,
  nothingHere,
  useWallet,
  withFakeWallet,
} from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withPayments((made) => {
  ({ database, bench } = made);
});
withFakeWallet((opened) => {
  wallet = opened;
});
beforeEach(async () => {
  await useWallet(database, wallet);
  await changeDebtSettings(database, 'op', { by: 'eve' }, { releasedWhenPaid: false });
});

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
  const forget = `update operator_wallet_call set request = null where is_forced and deposit_id = '${older.depositId}'`;
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
