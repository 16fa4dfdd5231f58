/** Balances that an operator's wallet keeps, as screens ask for them. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { ann, type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { type FakeWallet, useWallet, withWalletPayments } from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});
beforeEach(() => useWallet(database, wallet));

test('[WD-3] the balance of the wallet is asked for, and is unknown while the wallet is silent', async () => {
  const userId = `shown-${randomUUID()}`;
  const wanted = { operatorId: ann.operatorId, userId, currency: 'INR' };
  wallet.balances.set(`${userId} INR`, 12_345n);
  wallet.script.push('lost');
  expect(await bench.payments.walletBalanceOf(wanted)).toBeUndefined();
  expect(await bench.payments.walletBalanceOf(wanted)).toBe(12_345n);
  // Within a few seconds the same answer serves again.
  expect(await bench.payments.walletBalanceOf(wanted)).toBe(12_345n);
  expect(wallet.calls).toHaveLength(2);
});

test('[WD-3] a balance is asked for again once a call has moved it', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  const wanted = { operatorId: ann.operatorId, userId, currency: 'INR' };
  expect(await bench.payments.walletBalanceOf(wanted)).toBe(0n);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.runDueWork();
  expect(await bench.payments.walletBalanceOf(wanted)).toBe(50_000n);
});

test('[SRV-2] screens that get no balance do not hold up the credit of a deposit', async () => {
  wallet.script.push(...Array<'lost'>(6).fill('lost'));
  for (let n = 0; n < 6; n += 1) {
    const wanted = { operatorId: ann.operatorId, userId: `silent-${n}`, currency: 'INR' };
    expect(await bench.payments.walletBalanceOf(wanted)).toBeUndefined();
  }
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.runDueWork();
  expect(wallet.balanceOf(userId)).toBe(50_000n);
});
