/** Coin boxes and coins where the ledger does not keep the money: coins stay here, and money of the user goes to the operator. */
import { randomUUID } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { depositStateOf } from '../payments/testing/with-payments.fixture.ts';
import { createOwnMood } from '../rates/sandbox-mood.fixture.ts';
import { createSandboxRates } from '../rates/sandbox-rates.ts';
import { grantCoins, reportPlay } from '../sweepstake/coin-moves.ts';
import { createRedemptions } from '../sweepstake/create-redemptions.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import { bookOf, newUser, purchaseOf, sellBox, walletOf } from '../sweepstake/sweepstake.fixture.ts';
import { reportOn } from '../withdrawals/withdrawals.fixture.ts';
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
let redemptions: Redemptions;
withWalletPayments(
  (made) => {
    ({ database, bench, wallet } = made);
  },
  {
    options() {
      const clock = createTestClock();
      const rates = createSandboxRates(clock, { coinMs: 300_000, fiatMs: 86_400_000 }, createOwnMood());
      redemptions = createRedemptions({ rates, clock, secret: 'a secret of tests' });
      return { redemptions };
    },
  },
);

/** A box of 500.00 INR, for which an amount was paid. */
async function bought(paidMinor = 50_000n): Promise<{ readonly caller: Caller; readonly depositId: string }> {
  const command = purchaseOf(await sellBox(database), newUser(), { paymentType: 'coin' });
  await bench.payments.createDeposit(command);
  const { depositId } = command.request;
  expect(await bench.payments.apply(reportOf(depositId, { paidMinor }))).toMatchObject({ outcome: 'credited' });
  await askUntilAnswered(database, bench);
  return { caller: command.caller, depositId };
}

async function chargedBack(depositId: string, paidMinor = 50_000n): Promise<void> {
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', paidMinor }));
  await askUntilAnswered(database, bench);
  expect(await depositStateOf(database, depositId)).toBe('reversed');
}

const play = ({ userId }: Caller, staked: bigint, won = 0n) =>
  reportPlay(database, { operatorId: 'op', userId, coin: 'SC', playId: randomUUID(), staked, won });

const operatorHas = (): Promise<bigint> => bookOf(database, 'INR', 'operator_clearing');

describe.each(['operator', 'pass-through'] as const)('[SWP-1] a coin box in the mode %s', (mode) => {
  beforeEach(() => setWalletMode(database, mode, wallet.url));

  test('gives its coins here, and the price is no money of the user', async () => {
    const [sales, before] = [await bookOf(database, 'INR', 'coin_sales'), await operatorHas()];
    const { caller } = await bought();
    expect(await walletOf(database, caller)).toEqual({ GC: 1_000_000n, SC: 2_050n, INR: 0n, held: 0n });
    expect((await bookOf(database, 'INR', 'coin_sales')) - sales).toBe(50_000n);
    expect(await operatorHas()).toBe(before);
    expect(wallet.calls).toEqual([]);
    expect(await givenToOperator(database, caller.userId)).toBe(0n);
  });

  test('for which too much was paid passes the rest on to the operator', async () => {
    const before = await operatorHas();
    const { caller } = await bought(50_700n);
    expect(await walletOf(database, caller)).toEqual({ GC: 1_000_000n, SC: 2_050n, INR: 0n, held: 0n });
    expect((await operatorHas()) - before).toBe(700n);
    expect(await givenToOperator(database, caller.userId)).toBe(700n);
    if (mode === 'operator')
      expect(wallet.calls).toMatchObject([{ type: 'credit', reason: 'deposit', amount: '7.00' }]);
  });

  test('that is charged back takes the coins back, and asks the operator for nothing', async () => {
    const { caller, depositId } = await bought();
    await chargedBack(depositId);
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    expect(wallet.calls).toEqual([]);
    expect(await ledgerOf(database, caller.userId)).toEqual(nothingHere);
    expect(await isFrozen(database, caller.userId, 'INR')).toBe(false);
  });

  test('for which too much was paid, and that is charged back, takes the rest back from the operator', async () => {
    const before = await operatorHas();
    const { caller, depositId } = await bought(50_700n);
    await chargedBack(depositId, 50_700n);
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    expect(await operatorHas()).toBe(before);
    expect(await givenToOperator(database, caller.userId)).toBe(0n);
    expect(await ledgerOf(database, caller.userId)).toEqual(nothingHere);
    expect(await isFrozen(database, caller.userId, 'INR')).toBe(false);
    if (mode === 'pass-through') return;
    expect(wallet.calls.at(-1)).toMatchObject({ type: 'debit', reason: 'chargeback', amount: '7.00', forced: true });
    expect(wallet.balanceOf(caller.userId)).toBe(0n);
  });

  test('whose rest the wallet declines to give back leaves a debt of the rest alone', async () => {
    const { caller, depositId } = await bought(50_700n);
    wallet.declines = { code: 'blocked' };
    await chargedBack(depositId, 50_700n);
    const debt = mode === 'operator' ? -700n : 0n;
    expect(await bookOf(database, 'INR', 'reversal_debt', caller)).toBe(debt);
    expect(await isFrozen(database, caller.userId)).toBe(mode === 'operator');
  });

  test('whose sweep coins were played leaves a debt of coins, about which no wallet is asked', async () => {
    const { caller, depositId } = await bought();
    await play(caller, 2_050n);
    await chargedBack(depositId);
    expect(await bookOf(database, 'SC', 'reversal_debt', caller)).toBe(-2_050n);
    expect(await isFrozen(database, caller.userId, 'SC')).toBe(true);
    expect(wallet.calls).toEqual([]);
    expect(await ledgerOf(database, caller.userId)).toEqual(nothingHere);
  });
});

describe("[SWP-2] a redemption where the operator's own wallet keeps the money", () => {
  beforeEach(() => useWallet(database, wallet));

  /** A redemption of 100.00 played sweep coins that is held. */
  async function redeeming(): Promise<{ readonly caller: Caller; readonly id: string }> {
    const caller = newUser();
    const { userId } = caller;
    await grantCoins(database, { operatorId: 'op', userId, coin: 'SC', grantId: randomUUID(), amount: 10_000n });
    await play(caller, 10_000n, 10_000n);
    const quote = (await redemptions.rate(caller, 'SC', 'USDT'))?.agreed?.quote;
    if (quote === undefined) throw new Error('There is no quote');
    const request = {
      withdrawalId: randomUUID(),
      amount: '100.00',
      currency: 'SC',
      paymentMethod: 'redeem_usdt',
      fields: { wallet: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' },
      accountType: 'main',
      quote,
    } as const;
    expect((await bench.payments.withdrawals.create({ caller, request })).status).toBe(0);
    expect(await walletOf(database, caller)).toMatchObject({ SC: 0n, held: 10_000n });
    return { caller, id: request.withdrawalId };
  }

  const report = (id: string, outcome: 'paid' | 'declined' | 'returned') =>
    bench.payments.withdrawals.apply(
      reportOn(id, outcome === 'declined' ? { outcome } : { outcome, currency: 'USDT', paidMinor: 9_900_000_000n }),
    );

  test('holds and pays the coins here, also while the wallet does not answer', async () => {
    wallet.always = 'broken';
    const { caller, id } = await redeeming();
    await bench.payments.withdrawals.confirm(caller, id);
    await report(id, 'paid');
    expect((await bench.payments.withdrawals.status(caller, id)).status).toBe(1);
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    await report(id, 'returned');
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
    expect(wallet.calls).toEqual([]);
  });

  test.each(['cancelled', 'declined'] as const)('that is %s gives the coins back here', async (how) => {
    const { caller, id } = await redeeming();
    if (how === 'cancelled') await bench.payments.withdrawals.cancel(caller, id);
    else {
      await bench.payments.withdrawals.confirm(caller, id);
      await report(id, how);
    }
    await askUntilAnswered(database, bench);
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
    expect(wallet.calls).toEqual([]);
  });

  test('that is paid late is charged in coins', async () => {
    const { caller, id } = await redeeming();
    await bench.payments.withdrawals.cancel(caller, id);
    await report(id, 'paid');
    await bench.payments.settleLatePayout({ operatorId: 'op', id }, 'charge', 'eve');
    await askUntilAnswered(database, bench);
    expect(await walletOf(database, caller)).toMatchObject({ SC: 0n, held: 0n });
    expect(await bookOf(database, 'SC', 'reversal_debt', caller)).toBe(0n);
    expect(wallet.calls).toEqual([]);
    expect((await auditLedger(database)).faults).toEqual([]);
  });
});
