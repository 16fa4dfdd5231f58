/** The operator API of a whole server: transfers between accounts, a refund, and the list of transactions (SRV-1, WD-1). */

import { randomUUID } from 'node:crypto';
import type { MethodList } from '@opencashier/contract/api';
import { balancesResponseSchema, transactionPageSchema, transferResponseSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { freezeUser } from '../ledger/ledger.ts';
import { intents, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp } from '../transports/testing/running-app.ts';
import { withApp } from '../transports/testing/with-app.fixture.ts';

let running: RunningApp;
withApp((app) => {
  running = app;
});

const ask = (path: string, body?: object) =>
  fetch(`${running.url}/operator/v1${path}`, {
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? 'ok';

const transfer = (userId: string, from: string, to: string, amount: string, more: object = {}) =>
  ask(`/users/${userId}/transfers`, { transferId: randomUUID(), currency: 'USD', from, to, amount, ...more });

const balancesOf = async (userId: string) =>
  v.parse(balancesResponseSchema, await (await ask(`/users/${userId}/balances`)).json());

const somebody = () => Person.with(running, intents.redirect);

describe('[WD-1] an operator moves money', () => {
  test('to an account and between the two, once per key; balances show it, and a withdrawal holds it on that account', async () => {
    const person = await somebody();
    const { userId } = person;
    const body = { transferId: randomUUID(), currency: 'USD', from: 'operator', to: 'additional', amount: '150' };
    const first = v.parse(transferResponseSchema, await (await ask(`/users/${userId}/transfers`, body)).json());
    expect(first).toMatchObject({ amount: '150.00', balances: { main: '0.00', additional: '150.00' } });
    const repeats = await Promise.all(Array.from({ length: 10 }, () => ask(`/users/${userId}/transfers`, body)));
    for (const repeat of repeats) expect(await repeat.json()).toEqual(first);
    expect(await codeOf(await ask(`/users/${userId}/transfers`, { ...body, amount: '151' }))).toBe(
      'idempotency-conflict',
    );
    expect(await codeOf(await ask('/users/other/transfers', body))).toBe('idempotency-conflict');

    expect(await (await transfer(userId, 'additional', 'main', '30.01')).json()).toMatchObject({
      balances: { main: '30.01', additional: '119.99' },
    });
    const list = (await person.call('methods-withdrawal', { country: 'IN', currency: 'USD' })).data as MethodList;
    expect(list).toMatchObject({ balance: { amount: '30.01' }, additionalBalance: { amount: '119.99' } });

    const withdrawalId = randomUUID();
    const created = await person.call('withdrawal-create', {
      withdrawalId,
      amount: '119.99',
      currency: 'USD',
      paymentMethod: 'card_withdrawal',
      fields: { cardNumber: '4111111111111111' },
      accountType: 'additional',
    });
    expect(created.status).toBe(200);
    const usd = (amount: string) => [{ currency: 'USD', amount }];
    expect(await balancesOf(userId)).toEqual({ userId, balances: usd('30.01'), additional: [], held: usd('119.99') });
    await person.call('withdrawal-cancel', { withdrawalId });
    expect(await balancesOf(userId)).toEqual({ userId, balances: usd('30.01'), additional: usd('119.99'), held: [] });
    expect(await (await transfer(userId, 'main', 'operator', '30.01')).json()).toMatchObject({
      balances: { main: '0.00', additional: '119.99' },
    });
  });

  test('never more than the balance, even fifty times at once, and nothing from a frozen account', async () => {
    const { userId } = await somebody();
    await transfer(userId, 'operator', 'main', '100.00');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => transfer(userId, 'main', 'additional', '40.00')),
    );
    const codes = await Promise.all(answers.map(codeOf));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(2);
    expect(codes.filter((code) => code === 'insufficient-funds')).toHaveLength(48);
    expect(await balancesOf(userId)).toMatchObject({
      balances: [{ amount: '20.00' }],
      additional: [{ amount: '80.00' }],
    });
    await running.database.transaction((transaction) => freezeUser(transaction, 'demo', userId, 'USD'));
    expect(await codeOf(await transfer(userId, 'additional', 'operator', '1.00'))).toBe('state-conflict');
    expect(await codeOf(await transfer(userId, 'operator', 'main', '1.00'))).toBe('ok');
  });

  test.each([
    { amount: '0' },
    { amount: '1.001' },
    { amount: '-1' },
    { amount: `1${'0'.repeat(39)}` },
    { currency: 'ZZZ' },
    { to: 'operator' },
    { to: 'bonus' },
    { transferId: '1' },
  ])('and not %j', async (bad) => {
    const { userId } = await somebody();
    expect(await codeOf(await transfer(userId, 'operator', 'main', '5.00', bad))).toBe('invalid-request');
    expect(await balancesOf(userId)).toMatchObject({ balances: [] });
  });
});

test('[SRV-1] a refund by the operator: it is booked when the provider confirms it, and operator and user see it', async () => {
  const person = await somebody();
  const depositId = randomUUID();
  // The sandbox approves this amount at once.
  await person.create(depositId, { amount: '25.05' });
  await person.becomes(depositId, { status: 1 });
  const body = { refundId: randomUUID(), staff: 'eve', reason: 'asked by the user' };
  const first = await ask(`/transactions/${depositId}/refund`, body);
  expect(await first.json()).toMatchObject({ state: expect.stringMatching(/^(pending|refunded)$/), amount: '25.05' });
  await person.becomes(depositId, { status: 2, reason: 'transaction.reason.refunded', finalAmount: '25.05' });
  expect(await balancesOf(person.userId)).toMatchObject({ balances: [], held: [] });
  expect(await (await ask(`/transactions/${depositId}/refund`, body)).json()).toMatchObject({ state: 'refunded' });
});

describe('[SRV-1] an operator reads its transactions', () => {
  const pageOf = async (filter: Record<string, string>) =>
    v.parse(transactionPageSchema, await (await ask(`/transactions?${new URLSearchParams(filter)}`)).json());

  async function everything(filter: Record<string, string>) {
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await pageOf({ limit: '2', ...filter, ...(cursor !== undefined && { cursor }) });
      expect(page.transactions.length).toBeLessThanOrEqual(2);
      seen.push(...page.transactions);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return seen.map((transaction) =>
      transaction.type === 'deposit' ? `d ${transaction.depositId}` : `w ${transaction.withdrawalId}`,
    );
  }

  test('deposits and withdrawals page by page, newest first, each once, by type, state, user and time', async () => {
    const person = await somebody();
    const { userId } = person;
    await transfer(userId, 'operator', 'main', '500.00');
    const wanted: string[] = [];
    const mark: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const id = randomUUID();
      expect(await person.create(id)).toMatchObject({ status: 200 });
      // One id may name a deposit and a withdrawal, because their idempotency keys are separate.
      const withdrawal = await person.call('withdrawal-create', {
        withdrawalId: id,
        amount: '50.00',
        currency: 'USD',
        paymentMethod: 'card_withdrawal',
        fields: { cardNumber: '4111111111111111' },
      });
      expect(withdrawal.status).toBe(200);
      if (index === 0) await person.call('withdrawal-cancel', { withdrawalId: id });
      wanted.unshift(`w ${id}`, `d ${id}`);
      mark.push((await pageOf({ userId, limit: '1' })).transactions[0]?.created ?? '');
    }
    expect(await everything({ userId })).toEqual(wanted);
    expect((await everything({})).filter((name) => wanted.includes(name))).toEqual(wanted);
    expect(await everything({ userId, type: 'deposit' })).toEqual(wanted.filter((name) => name.startsWith('d')));
    expect(await everything({ userId, type: 'withdrawal' })).toEqual(wanted.filter((name) => name.startsWith('w')));
    expect(await everything({ userId, status: 'failed' })).toEqual([wanted[4]]);
    expect(await everything({ userId, status: 'failed', type: 'deposit' })).toEqual([]);
    expect(await everything({ userId, status: 'waiting' })).toEqual(wanted.filter((_name, index) => index !== 4));
    const [first = '', second = ''] = mark;
    const between = await everything({ userId, from: new Date(Date.parse(first) + 1).toISOString(), to: second });
    expect(between).toContain(wanted[3]);
    expect(between).not.toContain(wanted[0]);
    expect(between).not.toContain(wanted[5]);
    const [newest] = (await pageOf({ userId, limit: '1' })).transactions;
    expect(newest).toMatchObject({
      type: 'withdrawal',
      state: 'held',
      status: 'waiting',
      amount: '50.00',
      fee: '0.75',
      receives: '49.25',
      accountType: 'main',
    });
  });

  test('and wrong filters and cursors are refused', async () => {
    const tampered = Buffer.from('["now()","x"]').toString('base64url');
    for (const query of [
      'cursor=x',
      `cursor=${tampered}`,
      'status=done',
      'type=bonus',
      'from=yesterday',
      'limit=0',
      'x=1',
    ]) {
      expect(await codeOf(await ask(`/transactions?${query}`)), query).toBe('invalid-request');
    }
  });
});
