/** Bonuses where the ledger does not keep the balance: the operator gives the bonus itself, so none is booked here (BON-3, SRV-2). */
import type { OwnBonus } from '@opencashier/contract/operator';
import { beforeEach, expect, test } from 'vitest';
import { saveBonuses } from '../bonuses/bonus-store.ts';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { type OpenDeposit, openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  ledgerOf,
  nothingHere,
  setWalletMode,
  withWalletPayments,
} from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});

const welcome: OwnBonus = {
  id: 'welcome',
  type: 'deposit',
  currency: 'INR',
  title: { en: 'Welcome bonus' },
  depositBonusData: { minDeposit: '10', maxBonusAmount: '1000', percent: 50, payoutMultiplier: 3, wagerMultiplier: 30 },
};
// Once for the file: a second call finds the version of the first.
beforeEach(() => saveBonuses(database, 'op', { version: 0, bonuses: [welcome], staff: 'eve' }));

const openWithBonus = (): Promise<OpenDeposit> => openDepositOf(bench, { isActivatedBonus: true, bonusId: 'welcome' });
const bonusOf = (userId: string) => accountBalance(database, 'op', { owner: userId, asset: 'INR', kind: 'bonus' });
const expense = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'bonus_expense' });
const quiet = (): Promise<void> => askUntilAnswered(database, bench);

test.each(['operator', 'pass-through'] as const)(
  '[BON-3] [SRV-2] in the mode %s no bonus money is booked here, at the credit, the chargeback or after a review',
  async (mode) => {
    await setWalletMode(database, mode, mode === 'operator' ? wallet.url : undefined);
    const start = await expense();
    const plain = await openWithBonus();
    await bench.payments.apply(reportOf(plain.depositId));
    const reviewed = await openWithBonus();
    await bench.payments.apply(reportOf(reviewed.depositId, { paidMinor: 40_000n }));
    await bench.payments.resolveReview({ operatorId: 'op', id: reviewed.depositId }, 'credit', 'sam');
    await quiet();
    for (const { userId, depositId } of [plain, reviewed]) {
      expect(await bonusOf(userId)).toBe(0n);
      await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
      await quiet();
      expect(await ledgerOf(database, userId)).toEqual(nothingHere);
      expect(await bonusOf(userId)).toBe(0n);
    }
    expect(await expense()).toBe(start);
  },
);

test('[BON-3] [SRV-2] a bonus goes where the money of its deposit goes, whatever the mode was at the create call', async () => {
  await setWalletMode(database, 'cashier');
  const first = await openWithBonus();
  await setWalletMode(database, 'operator', wallet.url);
  const second = await openWithBonus();
  await bench.payments.apply(reportOf(first.depositId));
  await quiet();
  await setWalletMode(database, 'cashier');
  await bench.payments.apply(reportOf(second.depositId));
  expect([await bonusOf(first.userId), wallet.balanceOf(first.userId)]).toEqual([0n, 50_000n]);
  expect([await bonusOf(second.userId), wallet.balanceOf(second.userId)]).toEqual([25_000n, 0n]);

  // The operator keeps the balances again. What was granted here leaves with the chargeback.
  await setWalletMode(database, 'operator', wallet.url);
  await bench.payments.apply(reportOf(second.depositId, { outcome: 'reversed' }));
  await quiet();
  expect(await bonusOf(second.userId)).toBe(0n);
});
