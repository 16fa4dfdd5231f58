/** Changes of the mode: refused while money is on its way, and seen by every payment afterwards (SRV-2). */
import type { OwnBonus } from '@opencashier/contract/operator';
import { beforeEach, expect, test } from 'vitest';
import { saveBonuses } from '../bonuses/bonus-store.ts';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { asAnotherProcess } from '../database/testing/one-connection.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { openOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { type OpenDeposit, openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { purchaseOf, sellBox } from '../sweepstake/sweepstake.fixture.ts';
import {
  askUntilAnswered,
  type FakeWallet,
  ledgerOf,
  setWalletMode,
  useWallet,
  withWalletPayments,
} from '../wallet-calls/fake-wallet.fixture.ts';
import { changeWalletMode } from './change-wallet-mode.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});
// No call of an earlier test may wait: it would refuse each change.
beforeEach(async () => {
  await useWallet(database, wallet);
  await askUntilAnswered(database, bench);
  await setWalletMode(database, 'cashier');
});

/** A deposit whose credit the wallet has not answered. */
async function openCredit(): Promise<OpenDeposit> {
  await setWalletMode(database, 'operator', 'http://127.0.0.1:1/wallet');
  const opened = await openDepositOf(bench);
  await bench.payments.apply(reportOf(opened.depositId));
  await bench.payments.runDueWork();
  return opened;
}

const sandbox = {
  SANDBOX: '1',
  SANDBOX_PROVIDER_SECRET: `whsec_${'s'.repeat(32)}`,
  DATABASE_URL: 'postgres://of-this-test',
};
const command = (text: string) => runCommand(text, { environment: sandbox, open: keptOpen(database) });

test('[SRV-2] a balance here stops the change, and the command says how much and what to do', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  const refused = await command('set-wallet pk pass-through');
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toMatch(/500\.00 INR on accounts of 1 user: take it over by `transfers`/);
  expect(refused.errors).toContain('update-operator pk --deposits off --withdrawals off');

  const api = await openOperatorApi(database, bench.payments);
  const taken = await api.ask(`/users/${userId}/transfers`, {
    transferId: '11111111-1111-4111-8111-111111111111',
    currency: 'INR',
    amount: '500.00',
    from: 'main',
    to: 'operator',
  });
  expect(taken.status).toBe(200);
  const changed = await command('set-wallet pk pass-through --by eve');
  expect(changed).toMatchObject({ exitCode: 0, errors: '' });
  const [recorded] = await database.query<{ by: string; after: object }>({
    text: `select by, after from setting_change where setting = 'operator.wallet' order by id desc limit 1`,
  });
  expect(recorded).toEqual({ by: 'eve', after: { mode: 'pass-through' } });
  // Staff see the mode, and not a balance of none where the operator keeps it.
  expect((await api.ask('/settings')).body).toMatchObject({ walletMode: 'pass-through' });
  expect((await command(`users show pk ${userId}`)).out).toMatch(/balance +kept by the operator\n/);

  const late = await api.ask(`/users/${userId}/transfers`, {
    transferId: '22222222-2222-4222-8222-222222222222',
    currency: 'INR',
    amount: '5.00',
    from: 'operator',
    to: 'main',
  });
  expect(late).toMatchObject({ status: 409, code: 'state-conflict' });
  // A repeat of the earlier transfer still gets its answer.
  expect((await api.ask(`/users/${userId}/balances`)).body).toMatchObject({ balances: [] });
  await api.close();
});

test('[SRV-2] money in transit stops the change, and is listed', async () => {
  const { depositId, userId } = await openCredit();
  const refused = await command('set-wallet pk cashier');
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toContain('500.00 INR in 1 call that the wallet has not answered');
  // Another wallet would execute the call a second time, if the old one has executed it.
  const moved = await command('set-wallet pk operator --wallet-url http://127.0.0.1:2/wallet');
  expect(moved.exitCode).toBe(1);
  expect(moved.errors).toContain('500.00 INR in 1 call that the wallet has not answered');
  expect(moved.errors).toContain('add --same-wallet');
  const same = await command('set-wallet pk operator --wallet-url http://127.0.0.1:1/wallet?v=2 --same-wallet');
  expect(same).toMatchObject({ exitCode: 0, errors: '' });
  // The address is shown where the mode is, without its query.
  expect((await command('list operators')).out).toMatch(/ operator +http:\/\/127\.0\.0\.1:1\/wallet +–/);
  expect((await command('update-operator pk')).out).toContain('walletUrl: http://127.0.0.1:1/wallet\n');
  const listed = await command('list wallet-calls pk');
  expect(listed.out).toMatch(/credit\s+deposit\s+user-\d+\s+500\.00\s+INR\s+\S+\s+waiting\s+1\s+ECONNREFUSED/);
  const found = await command(`find ${depositId}`);
  expect(found.out).toContain('wallet  credit (deposit) 500.00 INR: waiting, ECONNREFUSED');
  const api = await openOperatorApi(database, bench.payments);
  const page = await api.ask('/wallet-calls?state=waiting');
  expect(page.body['calls']).toMatchObject([{ depositId, type: 'credit', state: 'waiting', why: 'ECONNREFUSED' }]);
  expect((await api.ask('/wallet-calls')).status).toBe(400);
  expect((await api.ask(`/wallet-calls?depositId=${depositId}`, undefined, 'other')).body['calls']).toEqual([]);
  expect((await api.ask(`/users/${userId}/balances`)).body).toMatchObject({
    balances: [],
    inTransit: [{ currency: 'INR', amount: '500.00' }],
  });
  await api.close();
});

const welcome: OwnBonus = {
  id: 'welcome',
  type: 'deposit',
  currency: 'INR',
  title: { en: 'Welcome bonus' },
  depositBonusData: { minDeposit: '10', maxBonusAmount: '1000', percent: 50, payoutMultiplier: 3, wagerMultiplier: 30 },
};

const own = (kind: 'bonus_expense' | 'operator_clearing') =>
  accountBalance(database, 'op', { owner: '', asset: 'INR', kind });

test('[SRV-2] bonus money stops the change, until the operator has taken it over or the user has earned it', async () => {
  await saveBonuses(database, 'op', { version: 0, bonuses: [welcome], staff: 'eve' });
  const { depositId, userId } = await openDepositOf(bench, { isActivatedBonus: true, bonusId: 'welcome' });
  const before = { expense: await own('bonus_expense'), clearing: await own('operator_clearing') };
  await bench.payments.apply(reportOf(depositId));
  const api = await openOperatorApi(database, bench.payments);
  let made = 0;
  const move = (from: string, to: string, amount: string) => {
    made += 1;
    const transferId = `33333333-3333-4333-8333-${String(made).padStart(12, '0')}`;
    return api.ask(`/users/${userId}/transfers`, { transferId, currency: 'INR', amount, from, to });
  };
  expect((await move('main', 'operator', '500.00')).status).toBe(200);
  const refused = await command('set-wallet pk pass-through');
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toContain(
    '250.00 INR of bonus money of 1 user: take it over by `transfers` from `bonus` to `operator`',
  );
  expect(refused.errors).not.toContain('on accounts of');

  expect(await move('bonus', 'operator', '250.01')).toMatchObject({ code: 'insufficient-funds' });
  expect((await move('main', 'bonus', '1.00')).status).toBe(400);
  expect((await move('bonus', 'operator', '150.00')).status).toBe(200);
  // What the user has earned is money, and leaves as money.
  expect(await move('bonus', 'main', '100.00')).toMatchObject({ status: 200, body: { balances: { main: '100.00' } } });
  expect((await move('main', 'operator', '100.00')).status).toBe(200);
  expect((await own('bonus_expense')) - before.expense).toBe(-10_000n);
  expect((await own('operator_clearing')) - before.clearing).toBe(60_000n);
  expect((await command('set-wallet pk pass-through')).exitCode).toBe(0);
  await api.close();
});

test('[SRV-2] debts stop the change, unless they stay here for staff to settle', async () => {
  await useWallet(database, wallet);
  wallet.declines = { code: 'blocked' };
  const { depositId, userId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await askUntilAnswered(database, bench);
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  await askUntilAnswered(database, bench);
  const refused = await command('set-wallet pk cashier');
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toContain('500.00 INR of debts of 1 user: settle them (`debts list`), or add --keep-debts');
  // A debt is no matter of the wallet's address.
  expect((await command('set-wallet pk operator --wallet-url http://127.0.0.1:2/wallet')).exitCode).toBe(0);
  expect((await command('set-wallet pk cashier --keep-debts')).exitCode).toBe(0);
  const listed = await command('debts list pk');
  expect(listed.out).toContain(userId);
  const settled = await command(`debts settle pk ${userId} INR --from operator --by eve --reason agreed`);
  expect(settled.exitCode).toBe(0);
  expect((await command('set-wallet pk pass-through')).exitCode).toBe(0);
});

test('[SWP-1] sweep coins that are not played through stay here in every mode, and stop nothing', async () => {
  await bench.payments.apply(reportOf(await boughtBox()));
  expect((await command('set-wallet pk pass-through')).exitCode).toBe(0);
});

/** The deposit of a coin box that is not paid yet. */
async function boughtBox(): Promise<string> {
  const purchase = purchaseOf(await sellBox(database));
  await bench.payments.createDeposit(purchase);
  return purchase.request.depositId;
}

test('[SRV-2] a payment and a change at the same moment: the payment is booked by the mode that it saw', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  let change: Promise<unknown> = Promise.resolve();
  await database.transaction(async (transaction) => {
    await transaction.query({ text: `select wallet_mode_of('op')` });
    change = asAnotherProcess(() =>
      changeWalletMode(database, 'op', { mode: 'pass-through', url: undefined }, { by: 'eve' }),
    );
    // The embedded database has one connection: there the change waits for it.
    if (database.kind === 'embedded') return;
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(() => transaction.query({ text: waiting })).toHaveLength(1);
  });
  expect(await change).toEqual({ kind: 'changed', before: 'cashier' });
  await bench.payments.apply(reportOf(depositId));
  expect((await ledgerOf(database, userId)).user).toBe(0n);
});

test.each([
  [
    'a wallet without an address',
    `update operator set wallet_mode = 'operator', wallet_url = null`,
    'operator_wallet_has_url',
  ],
  ['a deleted call', 'delete from operator_wallet_call', 'ledger_immutable'],
  ['another amount', 'update operator_wallet_call set amount = amount + 1', 'operator_wallet_call_immutable'],
  [
    'a declined credit',
    `update operator_wallet_call set state = 'declined', known_at = now(), code = 'no' where state = 'waiting' and type = 'credit'`,
    'operator_wallet_call_declined',
  ],
])('[SRV-2] the database refuses %s', async (_what, text, rule) => {
  await openCredit();
  const refused = await database.query({ text }).then(
    () => 'accepted',
    (error: unknown) => constraintOf(error) ?? String(error),
  );
  expect(refused).toBe(rule);
});
