/** Deposits of an open amount, through the ledger: the paid amount is credited from the minimum up. */
import type { Bonus } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, createBench, createFakeCatalogue, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { DepositReport } from '../providers/provider.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** Opens a deposit of an open amount of at least 500.00 INR. */
const openDeposit = (request?: Parameters<typeof openDepositOf>[1]) => openDepositOf(bench, request);
const balanceOf = (userId: string) => userBalance(database, 'op', userId, 'INR');
const suspense = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'suspense' });
async function stateOf(depositId: string): Promise<unknown> {
  const [row] = await database.query({ text: 'select state, review from deposit where id = $1', values: [depositId] });
  return row;
}

const offering = (bonus: Bonus): Bonuses => ({
  list: async () => ({ now: Date.now(), source: 'list', bonuses: [bonus] }),
});

describe('[CRY-1] [SRV-3] an open amount', () => {
  const openAmount = () => openDeposit({ paymentType: 'coin' });
  const journalOf = (depositId: string) =>
    database.query<{ kind: string; amount: bigint }>({
      text: `select account.kind, posting.amount from journal join posting on posting.journal_id = journal.id
        join account on account.id = posting.account_id where journal.deposit_id = $1 order by posting.amount`,
      values: [depositId],
    });

  test('is credited as paid, from the asked amount up, exactly once', async () => {
    for (const paidMinor of [50_000n, 50_001n, 5_000_000n]) {
      const { userId, depositId, caller } = await openAmount();
      const reports = Array.from({ length: 8 }, () => reportOf(depositId, { paidMinor }));
      const results = await Promise.all(reports.map((report) => bench.payments.apply(report)));
      expect(results.filter(({ outcome }) => outcome === 'credited')).toHaveLength(1);
      expect(await balanceOf(userId)).toBe(paidMinor);
      expect(await journalOf(depositId)).toEqual([
        { kind: 'provider_clearing', amount: -paidMinor },
        { kind: 'user', amount: paidMinor },
      ]);
      const decimal = `${paidMinor / 100n}.${String(paidMinor % 100n).padStart(2, '0')}`;
      expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({
        status: 1,
        amount: '500.00',
        receivedAmount: decimal,
        finalAmount: decimal,
      });
      await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
      expect(await balanceOf(userId)).toBe(0n);
    }
  });

  test('below the minimum goes into suspense, and staff decide', async () => {
    const before = await suspense();
    const { userId, depositId, caller } = await openAmount();
    expect((await bench.payments.apply(reportOf(depositId, { paidMinor: 49_999n }))).outcome).toBe('suspended');
    expect(await balanceOf(userId)).toBe(0n);
    expect((await suspense()) - before).toBe(49_999n);
    const view = await bench.payments.depositStatus(caller, depositId);
    expect(view).toMatchObject({
      status: 3,
      reason: 'transaction.reason.below-minimum',
      receivedAmount: '499.99',
    });
    expect(view.finalAmount).toBeUndefined();
    expect((await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam')).status).toBe(2);
    expect(await suspense()).toBe(before);
  });

  test('above the method’s maximum at creation goes into suspense, also after the catalogue changed', async () => {
    const { userId, depositId, caller } = await openAmount();
    const before = await suspense();
    const later = createBench(database, { catalogue: { ...createFakeCatalogue(), method: () => undefined } });
    expect((await later.payments.apply(reportOf(depositId, { paidMinor: 5_000_001n }))).outcome).toBe('suspended');
    expect(await balanceOf(userId)).toBe(0n);
    expect((await suspense()) - before).toBe(5_000_001n);
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({
      status: 3,
      reason: 'transaction.reason.above-maximum',
      receivedAmount: '50000.01',
    });
    expect((await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam')).status).toBe(1);
    expect(await balanceOf(userId)).toBe(5_000_001n);
  });

  test('paid late, in another currency or twice follows the usual rules', async () => {
    const wrong = await openAmount();
    await bench.payments.apply(reportOf(wrong.depositId, { paidMinor: 70_000n, currency: 'USD' }));
    expect(await stateOf(wrong.depositId)).toMatchObject({ review: 'wrong-currency' });
    // An amount in another currency is not shown as if it were in this one.
    expect((await bench.payments.depositStatus(wrong.caller, wrong.depositId)).receivedAmount).toBeUndefined();
    const late = await openAmount();
    await bench.payments.apply(reportOf(late.depositId, { outcome: 'expired' }));
    await bench.payments.apply(reportOf(late.depositId, { paidMinor: 70_000n }));
    expect(await stateOf(late.depositId)).toMatchObject({ state: 'late_paid', review: 'late' });
    const second = await openAmount();
    await bench.payments.apply(reportOf(second.depositId, { paidMinor: 70_000n }));
    await bench.payments.apply(reportOf(second.depositId, { paidMinor: 80_000n, providerRef: 'more' }));
    expect(await stateOf(second.depositId)).toMatchObject({ state: 'credited', review: 'second-payment' });
    const balances = await Promise.all([wrong, late, second].map(({ userId }) => balanceOf(userId)));
    expect(balances).toEqual([0n, 0n, 70_000n]);
  });

  test('is decided by the catalogue at creation; neither the client nor a later edit changes it', async () => {
    const isOpen = async (depositId: string) =>
      (await database.query({ text: 'select open_amount from deposit where id = $1', values: [depositId] }))[0];
    const intent = { isOpenAmount: true, open_amount: true, fields: { isOpenAmount: 'true' } };
    const fixed = await openDeposit(intent);
    expect(await isOpen(fixed.depositId)).toEqual({ open_amount: false });
    await bench.payments.apply(reportOf(fixed.depositId, { paidMinor: 70_000n }));
    expect(await stateOf(fixed.depositId)).toMatchObject({ review: 'overpaid' });
    const { depositId, userId } = await openAmount();
    expect(await isOpen(depositId)).toEqual({ open_amount: true });
    const other = createBench(database, { catalogue: { ...createFakeCatalogue(), method: () => undefined } });
    await other.payments.apply(reportOf(depositId, { paidMinor: 70_000n }));
    expect(await balanceOf(userId)).toBe(70_000n);
  });

  test('gives a bonus for the paid amount, up to the maximum of the bonus', async () => {
    const bonus: Bonus = {
      id: 'half',
      type: 'deposit',
      currency: 'INR',
      content: { title: 'Half' },
      depositBonusData: {
        minDeposit: '500',
        maxBonusAmount: '1000',
        percent: 50,
        payoutMultiplier: 1,
        wagerMultiplier: 1,
      },
    };
    bench = createBench(database, { bonuses: offering(bonus) });
    for (const [paidMinor, given] of [
      [50_000n, 25_000n],
      [70_001n, 35_000n],
      [4_000_000n, 50_000n],
    ] as const) {
      const { depositId, userId } = await openDeposit({ paymentType: 'coin', isActivatedBonus: true, bonusId: 'half' });
      await bench.payments.apply(reportOf(depositId, { paidMinor }));
      const account = { owner: userId, asset: 'INR', kind: 'bonus' } as const;
      expect([await balanceOf(userId), await accountBalance(database, 'op', account)]).toEqual([paidMinor, given]);
      await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
      expect([await balanceOf(userId), await accountBalance(database, 'op', account)]).toEqual([0n, 0n]);
    }
  });

  test('[BON-2] [BON-3] earns a bonus by the credited amount alone, also when the asked amount was below the minimum', async () => {
    const bonus: Bonus = {
      id: 'from-600',
      type: 'deposit',
      currency: 'INR',
      content: { title: 'From 600' },
      depositBonusData: {
        minDeposit: '600',
        maxBonusAmount: '1000',
        percent: 50,
        payoutMultiplier: 1,
        wagerMultiplier: 1,
      },
    };
    bench = createBench(database, { bonuses: offering(bonus) });
    const intent = { isActivatedBonus: true, bonusId: 'from-600' };
    const bonusOf = (userId: string) => accountBalance(database, 'op', { owner: userId, asset: 'INR', kind: 'bonus' });
    for (const [paidMinor, given] of [
      [50_000n, 0n],
      [59_999n, 0n],
      [60_000n, 30_000n],
    ] as const) {
      const { depositId, userId } = await openDeposit({ paymentType: 'coin', ...intent });
      await bench.payments.apply(reportOf(depositId, { paidMinor }));
      expect([await balanceOf(userId), await bonusOf(userId)]).toEqual([paidMinor, given]);
    }
    // Staff credit an underpaid deposit.
    const { depositId, userId } = await openDeposit({ paymentType: 'coin', amount: '700', ...intent });
    await bench.payments.apply(reportOf(depositId, { paidMinor: 59_900n }));
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    expect([await balanceOf(userId), await bonusOf(userId)]).toEqual([59_900n, 0n]);
    // A fixed amount is checked against the bonus minimum at creation.
    await expect(openDeposit({ paymentType: 'card', ...intent })).rejects.toMatchObject({ code: 'bonus-expired' });
  });

  test('shows the rising pending amount, decides nothing by it, and then shows the paid amount', async () => {
    const { depositId, caller, userId } = await openAmount();
    const chain = { txid: 'a'.repeat(64), blockchain: 'Tron', cryptoCurrency: 'USDT', requiredConfirmations: 20 };
    const pending = (paidMinor: bigint, more: Partial<DepositReport> = {}) =>
      bench.payments.apply(
        reportOf(depositId, { outcome: 'pending', paidMinor, chain: { ...chain, confirmations: 1 }, ...more }),
      );
    const received = async () => (await bench.payments.depositStatus(caller, depositId)).receivedAmount;
    expect(await received()).toBeUndefined();
    await pending(60_000n);
    await pending(59_000n);
    expect(await received()).toBe('600.00');
    await pending(60_500n, { currency: 'USD' });
    await pending(61_000n, { providerRef: 'another' });
    expect(await received()).toBe('600.00');
    // Another transaction replaces the first.
    await pending(55_000n, { chain: { ...chain, txid: 'b'.repeat(64), confirmations: 0 } });
    expect(await received()).toBe('550.00');
    expect(await balanceOf(userId)).toBe(0n);
    await bench.payments.apply(reportOf(depositId, { paidMinor: 54_000n }));
    await pending(99_000n);
    expect(await received()).toBe('540.00');
    expect(await balanceOf(userId)).toBe(54_000n);
  });
});

test('[SRV-2] the ledger is sound after all these tests', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
