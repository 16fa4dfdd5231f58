import { randomUUID } from 'node:crypto';
import { type DebtPage, debtPageSchema, type FrozenPage, frozenPageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { constraintOf } from '../../database/pool-database.ts';
import { type AccountKind, accountBalance, freezeUser, postJournal } from '../../ledger/ledger.ts';
import type { Caller } from '../../operators/caller.ts';
import { ann, type Bench, commandOf, reportOf } from '../../payments/testing/payments.fixture.ts';
import { failureOf } from '../../payments/testing/with-payments.fixture.ts';
import { books, intent } from '../../withdrawals/withdrawals.fixture.ts';
import { everyPage, type OperatorApi, withOperatorApi } from '../operator-api.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

/** Transfers money from the operator to a user's account. */
const give = (userId: string, amount: string, to: 'main' | 'additional' = 'main') =>
  api.ask(`/users/${userId}/transfers`, { transferId: randomUUID(), currency: 'INR', from: 'operator', to, amount });

/** Creates a user whose deposit of 500.00 INR is charged back after a part was spent. @param spent that part */
async function frozenUser(spent: string): Promise<Caller> {
  const caller = { ...ann, userId: `frozen-${randomUUID()}` };
  const command = { ...commandOf(), caller };
  await bench.payments.createDeposit(command);
  const { depositId } = command.request;
  await bench.payments.apply(reportOf(depositId));
  const transfer = { transferId: randomUUID(), currency: 'INR', from: 'main', to: 'operator', amount: spent };
  expect((await api.ask(`/users/${caller.userId}/transfers`, transfer)).status).toBe(200);
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  return caller;
}

const release = (userId: string, more: object = {}, operatorId?: string) =>
  api.ask(
    '/frozen-accounts/release',
    { userId, currency: 'INR', decisionId: randomUUID(), decidedBy: 'eve', reason: 'pays by the month', ...more },
    operatorId,
  );
const listed = async (query = '', operatorId?: string) =>
  v.parse(frozenPageSchema, (await api.ask(`/frozen-accounts${query}`, undefined, operatorId)).body);
const debtOf = ({ userId }: Caller) =>
  accountBalance(database, 'op', { owner: userId, asset: 'INR', kind: 'reversal_debt' });

test('[SRV-1] frozen accounts are listed with their debt, the oldest first and page by page, only to their operator', async () => {
  const users = [await frozenUser('400.00'), await frozenUser('0.01'), await frozenUser('500.00')];
  const { accounts } = await listed();
  expect(accounts).toMatchObject([
    { userId: users[0]?.userId, currency: 'INR', debt: '400.00' },
    { userId: users[1]?.userId, currency: 'INR', debt: '0.01' },
    { userId: users[2]?.userId, currency: 'INR', debt: '500.00' },
  ]);
  const paged = { limit: 1, rowsOf: (page: FrozenPage) => page.accounts };
  expect(await everyPage(api, '/frozen-accounts', frozenPageSchema, paged)).toEqual(accounts);
  expect(await listed('', 'other')).toEqual({ accounts: [] });
  expect((await api.ask('/frozen-accounts?cursor=x')).code).toBe('invalid-request');
});

test('[SRV-1] [SRV-2] a release lets money leave again, once per decision and by name; the debt stays', async () => {
  const caller = await frozenUser('400.00');
  const { userId } = caller;
  await give(userId, '2000.00');
  const withdraw = () => failureOf(bench.payments.withdrawals.create(intent(caller)));
  expect(await withdraw()).toMatchObject({ code: 'method-unavailable' });

  const decisionId = randomUUID();
  const { status, body } = await release(userId, { decisionId });
  expect(status).toBe(200);
  expect(body).toMatchObject({ decisionId, userId, currency: 'INR', debt: '400.00', decidedBy: 'eve' });
  expect((await listed()).accounts.map((one) => one.userId)).not.toContain(userId);
  expect(await debtOf(caller)).toBe(-40_000n);
  expect(await withdraw()).toMatchObject({ code: 'ok' });

  expect((await release(userId, { decisionId, reason: 'said better' })).body).toEqual(body);
  expect((await release(userId, { decisionId, decidedBy: 'bob' })).code).toBe('idempotency-conflict');
  expect(await release(userId)).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(await release(userId)).toMatchObject({ status: 409, code: 'state-conflict' });
  const kept = await database.query({
    text: `select decided_by, reason, debt from account_release join account on account.id = account_id where owner = $1`,
    values: [userId],
  });
  expect(kept).toEqual([{ decided_by: 'eve', reason: 'pays by the month', debt: 40_000n }]);
});

test('[SRV-2] [WD-2] a debtor withdraws nothing from the additional account until the release', async () => {
  const caller = await frozenUser('400.00');
  expect((await give(caller.userId, '2000.00', 'additional')).status).toBe(200);
  const withdraw = () =>
    failureOf(bench.payments.withdrawals.create(intent(caller, { accountType: 'additional', amount: '1000.00' })));
  expect(await withdraw()).toMatchObject({ code: 'method-unavailable' });
  expect(await books(database, caller)).toMatchObject({ additional: 200_000n, held: 0n });
  expect((await release(caller.userId)).status).toBe(200);
  expect(await withdraw()).toMatchObject({ code: 'ok' });
});

test('[SRV-1] only one of several simultaneous decisions releases the account', async () => {
  const { userId } = await frozenUser('100.00');
  const codes = (await Promise.all(Array.from({ length: 20 }, () => release(userId)))).map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['ok', ...Array.from({ length: 19 }, () => 'state-conflict')]);
});

test('[SRV-1] a release needs an account of the operator, a name and a reason', async () => {
  const { userId } = await frozenUser('100.00');
  expect(await release(userId, {}, 'other')).toMatchObject({ status: 404, code: 'not-found' });
  expect(await release(userId, { currency: 'USD' })).toMatchObject({ status: 404 });
  expect(await release('nobody')).toMatchObject({ status: 404 });
  for (const path of ['decisionId', 'decidedBy', 'reason', 'userId', 'currency'])
    expect(await release(userId, { [path]: '' })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path }] } },
    });
  expect((await listed()).accounts.at(-1)).toMatchObject({ userId, debt: '100.00' });
});

test('[SRV-2] no freeze ends without a row in the history, and the history never changes', async () => {
  const { userId } = await frozenUser('100.00');
  const refused = (text: string) =>
    database.query({ text, values: [userId] }).then(
      () => undefined,
      (error: unknown) => constraintOf(error),
    );
  const unfreeze = 'update account set frozen_at = null where owner = $1';
  expect(await refused(unfreeze)).toBe('account_released_by_name');
  await release(userId);
  const rewrite = `update account_release set decided_by = 'bob' where account_id in (select id from account where owner = $1)`;
  expect(await refused(rewrite)).toBe('ledger_immutable');
});

const balanceOf = (owner: string, kind: AccountKind, asset = 'INR') =>
  accountBalance(database, 'op', { owner, asset, kind });
const debts = async (query = '', operatorId?: string) =>
  v.parse(debtPageSchema, (await api.ask(`/debts${query}`, undefined, operatorId)).body);
const settle = (userId: string, more: object = {}, operatorId?: string) =>
  api.ask(
    '/debts/settle',
    {
      userId,
      currency: 'INR',
      from: 'operator',
      decisionId: randomUUID(),
      decidedBy: 'eve',
      reason: 'known to us',
      ...more,
    },
    operatorId,
  );

test('[SRV-1] debts are listed, even after a release, page by page, only to their operator', async () => {
  const released = await frozenUser('400.00');
  const frozen = await frozenUser('0.01');
  await give(released.userId, '70.00');
  await release(released.userId);
  const one = await debts(`?userId=${released.userId}`);
  expect(one.debts).toMatchObject([{ currency: 'INR', debt: '400.00', main: '70.00', additional: '0.00' }]);
  expect(one.debts[0]).not.toHaveProperty('frozenSince');
  expect((await debts(`?userId=${frozen.userId}`)).debts[0]).toHaveProperty('frozenSince');
  const all = (await debts('?currency=INR')).debts;
  const paged = { limit: 2, rowsOf: (page: DebtPage) => page.debts };
  expect(await everyPage(api, '/debts?currency=INR', debtPageSchema, paged)).toEqual(all);
  expect(all.map(({ userId }) => userId)).toEqual(expect.arrayContaining([released.userId, frozen.userId]));
  expect(await debts('?currency=USD')).toEqual({ debts: [] });
  expect(await debts('', 'other')).toEqual({ debts: [] });
});

test('[SRV-1] [SRV-2] a debt is forgiven in part and paid from the user’s accounts, once per decision and by name', async () => {
  const { userId } = await frozenUser('400.00');
  const decisionId = randomUUID();
  const before = await balanceOf('', 'operator_clearing');
  const forgiven = await settle(userId, { decisionId, amount: '150.00' });
  expect(forgiven).toMatchObject({
    status: 200,
    body: { decisionId, from: 'operator', amount: '150.00', debt: '250.00', decidedBy: 'eve' },
  });
  expect((await balanceOf('', 'operator_clearing')) - before).toBe(-15_000n);
  await give(userId, '100.00');
  const additional = {
    transferId: randomUUID(),
    currency: 'INR',
    from: 'operator',
    to: 'additional',
    amount: '500.00',
  };
  await api.ask(`/users/${userId}/transfers`, additional);
  expect(await settle(userId, { from: 'main', amount: '100.01' })).toMatchObject({
    code: 'insufficient-funds',
    body: { error: { params: { max: '100.00' } } },
  });
  expect((await settle(userId, { from: 'main' })).body).toMatchObject({ amount: '100.00', debt: '150.00' });
  expect(await settle(userId, { from: 'main' })).toMatchObject({ code: 'insufficient-funds' });
  expect(await settle(userId, { from: 'additional', amount: '150.01' })).toMatchObject({
    code: 'state-conflict',
    body: { error: { params: { debt: '150.00' } } },
  });
  expect((await settle(userId, { from: 'additional' })).body).toMatchObject({ amount: '150.00', debt: '0.00' });
  expect(await balanceOf(userId, 'user_additional')).toBe(35_000n);
  expect(await settle(userId)).toMatchObject({ status: 409, code: 'state-conflict' });
  expect((await debts(`?userId=${userId}`)).debts).toEqual([]);
  // The account is still frozen, because nobody has released it.
  expect((await listed()).accounts.at(-1)).toMatchObject({ userId, debt: '0.00' });

  expect((await settle(userId, { decisionId, reason: 'said better' })).body).toEqual(forgiven.body);
  for (const other of [{ amount: '150.01' }, { from: 'main' }, { decidedBy: 'bob' }])
    expect((await settle(userId, { decisionId, ...other })).code).toBe('idempotency-conflict');
  expect(await settle(userId, {}, 'other')).toMatchObject({ status: 404 });
  expect(await settle('nobody')).toMatchObject({ status: 404 });
  for (const path of ['decisionId', 'decidedBy', 'reason', 'from', 'amount'])
    expect(await settle(userId, { [path]: '' })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path }] } },
    });
});

test('[SRV-2] simultaneous decisions pay no more than the debt and take no more than the balance', async () => {
  const { userId } = await frozenUser('400.00');
  await give(userId, '150.00');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      settle(userId, { from: index % 2 ? 'main' : 'operator', amount: '50.00' }),
    ),
  );
  expect(answers.filter(({ code }) => code === 'ok')).toHaveLength(8);
  // Each of the others gets its reason. None ended with an error of the database.
  const refusals = answers.map(({ code }) => code).filter((code) => code !== 'ok');
  expect(['insufficient-funds', 'state-conflict']).toEqual(expect.arrayContaining(refusals));
  const [main, debt] = [await balanceOf(userId, 'user'), await balanceOf(userId, 'reversal_debt')];
  expect(debt).toBe(0n);
  const fromMain = answers.filter(({ code, body }) => code === 'ok' && body['from'] === 'main').length;
  expect(main).toBe(15_000n - 5_000n * BigInt(fromMain));
  const rewrite = 'update debt_settlement set amount = 1';
  await expect(database.query({ text: rewrite })).rejects.toThrow();
  const overpay = database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'test',
      source: 'test',
      ref: randomUUID(),
      lines: [
        { owner: '', asset: 'INR', kind: 'operator_clearing', amount: -1n },
        { owner: userId, asset: 'INR', kind: 'reversal_debt', amount: 1n },
      ],
    }),
  );
  expect(await overpay.then(() => undefined, constraintOf)).toBe('account_debt_not_overpaid');
});

test('[SRV-2] a deposit pays a debt first only if the operator’s settings say so, and the webhook says how much', async () => {
  const caller = await frozenUser('400.00');
  const deposit = async (paidMinor = 50_000n) => {
    const command = { ...commandOf(), caller };
    await bench.payments.createDeposit(command);
    await bench.payments.apply(reportOf(command.request.depositId, { paidMinor }));
    return command.request.depositId;
  };
  expect((await api.ask('/debt-settings')).body).toEqual({ paidByDeposits: false, releasedWhenPaid: false });
  await deposit();
  expect([await balanceOf(caller.userId, 'user'), await debtOf(caller)]).toEqual([50_000n, -40_000n]);
  const put = await api.ask('/debt-settings', { paidByDeposits: true }, 'op', 'PUT');
  expect(put.body).toEqual({ paidByDeposits: true, releasedWhenPaid: false });
  expect((await api.ask('/debt-settings', undefined, 'other')).body).toMatchObject({ paidByDeposits: false });
  // Staff credit this deposit after a review. It then pays the debt like any other.
  const under = await deposit(30_000n);
  await bench.payments.resolveReview({ operatorId: 'op', id: under }, 'credit', 'eve');
  expect([await balanceOf(caller.userId, 'user'), await debtOf(caller)]).toEqual([50_000n, -10_000n]);
  const last = await deposit();
  expect([await balanceOf(caller.userId, 'user'), await debtOf(caller)]).toEqual([90_000n, 0n]);
  const next = await deposit();
  const told = await database.query<{ deposit_id: string; body: string }>({
    text: `select deposit_id, body from webhook_delivery where type = 'deposit.processed' and deposit_id = any($1)`,
    values: [[under, last, next]],
  });
  const dataOf = (id: string) => JSON.parse(told.find(({ deposit_id }) => deposit_id === id)?.body ?? '{}').data;
  expect(dataOf(under)).toMatchObject({ amount: '300.00', paidDebt: '300.00' });
  expect(dataOf(last)).toMatchObject({ amount: '500.00', paidDebt: '100.00' });
  expect(dataOf(next)).not.toHaveProperty('paidDebt');
  // The user sees the same.
  const toldOf = async (depositId: string) => (await bench.payments.depositStatus(caller, depositId)).paidDebt;
  expect([await toldOf(under), await toldOf(last), await toldOf(next)]).toEqual(['300.00', '100.00', undefined]);
  // A chargeback takes the whole amount from the balance. The debt that the deposit has paid stays paid.
  await bench.payments.apply(reportOf(last, { outcome: 'reversed' }));
  expect([await balanceOf(caller.userId, 'user'), await debtOf(caller)]).toEqual([90_000n, 0n]);
  expect((await api.ask('/debt-settings', { paidByDeposits: false }, 'op', 'PUT')).status).toBe(200);
});

test('[SRV-1] a cursor of one list is refused by every other list', async () => {
  await frozenUser('1.00');
  await frozenUser('2.00');
  const lists = ['/frozen-accounts?', '/debts?', '/reviews?', '/withdrawals?awaiting=approval&', '/transactions?'];
  for (const path of ['/frozen-accounts', '/debts', '/transactions']) {
    const { nextCursor } = (await api.ask(`${path}?limit=1`)).body;
    for (const other of [...lists, '/webhook-deliveries?']) {
      const answer = await api.ask(`${other}cursor=${nextCursor}`);
      expect(answer, `of ${path} at ${other}`).toMatchObject(
        other === `${path}?` ? { status: 200 } : { status: 400, body: { error: { fields: [{ path: 'cursor' }] } } },
      );
    }
  }
});

test('[SRV-1] [SRV-2] an account stays frozen when its debt is paid, unless the operator’s settings release it; the history names who paid', async () => {
  const releasedBy = async ({ userId }: Caller) => {
    const rows = await database.query<{ decided_by: string }>({
      text: 'select decided_by from account_release join account on account.id = account_id where owner = $1',
      values: [userId],
    });
    return rows.map(({ decided_by }) => decided_by);
  };
  const isFrozen = async ({ userId }: Caller) => (await listed()).accounts.some((one) => one.userId === userId);
  const kept = await frozenUser('400.00');
  expect((await settle(kept.userId)).body).toMatchObject({ debt: '0.00', frozenSince: expect.any(String) });
  expect(await isFrozen(kept)).toBe(true);

  const settings = { paidByDeposits: true, releasedWhenPaid: true };
  expect((await api.ask('/debt-settings', settings, 'op', 'PUT')).body).toEqual(settings);
  const settled = await frozenUser('400.00');
  expect((await settle(settled.userId, { amount: '399.99' })).body).toHaveProperty('frozenSince');
  expect(await isFrozen(settled)).toBe(true);
  const last = { decisionId: randomUUID(), amount: '0.01' };
  const answer = (await settle(settled.userId, last)).body;
  expect(answer).not.toHaveProperty('frozenSince');
  expect((await settle(settled.userId, last)).body).toEqual(answer);
  expect([await isFrozen(settled), await releasedBy(settled)]).toEqual([false, ['eve']]);

  const paying = await frozenUser('400.00');
  const command = { ...commandOf(), caller: paying };
  await bench.payments.createDeposit(command);
  await bench.payments.apply(reportOf(command.request.depositId));
  expect([await isFrozen(paying), await releasedBy(paying)]).toEqual([false, ['rule:debt-settings']]);
  expect((await failureOf(bench.payments.withdrawals.create(intent(paying, { amount: '100.00' })))).code).toBe('ok');

  const given = await frozenUser('400.00');
  const [deposit] = await database.query<{ id: string }>({
    text: 'select id from deposit where user_id = $1',
    values: [given.userId],
  });
  const returned = { outcome: 'returned', providerRef: `back-${given.userId}` } as const;
  await bench.payments.apply(reportOf(deposit?.id ?? '', returned));
  expect(await isFrozen(given)).toBe(true);
  await bench.payments.resolveReview({ operatorId: 'op', id: deposit?.id ?? '' }, 'credit', 'eve');
  expect([await isFrozen(given), await debtOf(given)]).toEqual([false, 0n]);
  // A new debt freezes the account again. An account whose debt was paid before the setting changed still waits for staff.
  await bench.payments.apply(reportOf(command.request.depositId, { outcome: 'reversed' }));
  expect([await isFrozen(paying), await isFrozen(kept)]).toEqual([true, true]);
  await api.ask('/debt-settings', { paidByDeposits: false }, 'op', 'PUT');
  expect((await api.ask('/debt-settings')).body).toEqual({ paidByDeposits: false, releasedWhenPaid: false });
});

test('[SWP-2] a forgiven debt of sweep coins is booked on the account that issues them', async () => {
  const userId = `coins-${randomUUID()}`;
  await database.transaction(async (transaction) => {
    await freezeUser(transaction, 'op', userId, 'SC');
    await postJournal(transaction, {
      operatorId: 'op',
      kind: 'test',
      source: 'test',
      ref: userId,
      lines: [
        { owner: userId, asset: 'SC', kind: 'reversal_debt', amount: -700n },
        { owner: '', asset: 'SC', kind: 'coin_issue', amount: 700n },
      ],
    });
  });
  expect((await settle(userId, { currency: 'SC', from: 'main' })).code).toBe('insufficient-funds');
  expect((await settle(userId, { currency: 'SC' })).body).toMatchObject({ amount: '7.00', debt: '0.00' });
  expect(await balanceOf('', 'coin_issue', 'SC')).toBe(0n);
});
