/** Overpaid coin boxes where the ledger does not keep the balance: the operator gets the rest, and a chargeback takes the rest back. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { bookOf, newUser, purchaseOf, sellBox, walletOf } from '../sweepstake/sweepstake.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  givenToOperator,
  isFrozen,
  ledgerOf,
  nothingHere,
  setWalletMode,
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

const quiet = (): Promise<void> => askUntilAnswered(database, bench);
const noCoins = { GC: 0n, SC: 0n, INR: 0n, held: 0n };

/** A box for 500.00 INR, for which the user sent 507.00 INR in coins. */
async function overpaid(): Promise<{ readonly caller: Caller; readonly depositId: string }> {
  const command = purchaseOf(await sellBox(database), newUser(), { paymentType: 'coin' });
  await bench.payments.createDeposit(command);
  const { depositId } = command.request;
  await bench.payments.apply(reportOf(depositId, { paidMinor: 50_700n }));
  await quiet();
  return { caller: command.caller, depositId };
}

async function chargedBack(depositId: string): Promise<void> {
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', paidMinor: 50_700n }));
  await quiet();
}

describe("[SWP-1] [SRV-2] an overpaid box at an operator's wallet", () => {
  beforeEach(() => useWallet(database, wallet));

  test('gives the rest to the wallet, and a chargeback claims the rest from there', async () => {
    const { caller, depositId } = await overpaid();
    expect(wallet.balanceOf(caller.userId)).toBe(700n);
    expect(await walletOf(database, caller)).toMatchObject({ GC: 1_000_000n, SC: 2_050n, INR: 0n });
    await chargedBack(depositId);
    expect(wallet.calls).toMatchObject([
      { type: 'credit', amount: '7.00', depositId },
      { type: 'debit', reason: 'chargeback', forced: true, amount: '7.00', depositId },
    ]);
    expect(wallet.balanceOf(caller.userId)).toBe(0n);
    expect(await walletOf(database, caller)).toEqual(noCoins);
    expect(await ledgerOf(database, caller.userId)).toEqual(nothingHere);
    expect(await isFrozen(database, caller.userId)).toBe(false);
  });

  test('that the wallet declines to give back is a debt of the rest alone', async () => {
    const { caller, depositId } = await overpaid();
    wallet.declines = { code: 'blocked' };
    await chargedBack(depositId);
    expect(await ledgerOf(database, caller.userId)).toEqual({ ...nothingHere, reversal_debt: -700n });
    expect(await isFrozen(database, caller.userId)).toBe(true);
  });

  test('that was paid exactly is charged back without a call', async () => {
    const command = purchaseOf(await sellBox(database), newUser());
    await bench.payments.createDeposit(command);
    await bench.payments.apply(reportOf(command.request.depositId));
    await chargedBack(command.request.depositId);
    expect(wallet.calls).toEqual([]);
    expect(await walletOf(database, command.caller)).toEqual(noCoins);
  });
});

test('[SWP-1] [SRV-2] where deposits only pass through, a chargeback of an overpaid box takes the rest from the operator', async () => {
  await setWalletMode(database, 'pass-through');
  const owed = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'operator_clearing' });
  const [start, sales] = [await owed(), await bookOf(database, 'INR', 'coin_sales')];
  const { caller, depositId } = await overpaid();
  expect((await owed()) - start).toBe(700n);
  await chargedBack(depositId);
  expect((await owed()) - start).toBe(0n);
  expect((await bookOf(database, 'INR', 'coin_sales')) - sales).toBe(0n);
  expect(await givenToOperator(database, caller.userId)).toBe(0n);
  expect(await ledgerOf(database, caller.userId)).toEqual(nothingHere);
  expect(await isFrozen(database, caller.userId)).toBe(false);
});
