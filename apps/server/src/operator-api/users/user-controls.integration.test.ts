/** Limits, blocks and notes of one user, through the calls of a whole server, its operator API and the command line. */
import { randomUUID } from 'node:crypto';
import { calls } from '@opencashier/contract/api';
import { settingChangePageSchema, transactionDetailSchema, userViewSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../../cli/run-command.fixture.ts';
import { atProvider, intents, Person } from '../../transports/testing/person.ts';
import { appOperatorKey, type RunningApp } from '../../transports/testing/running-app.ts';
import { withApp } from '../../transports/testing/with-app.fixture.ts';

let running: RunningApp;
withApp((app) => {
  running = app;
});

async function ask(path: string, body?: object, method = body === undefined ? 'GET' : 'PATCH') {
  const response = await fetch(`${running.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const view = async (userId: string) => v.parse(userViewSchema, (await ask(`/users/${userId}`)).body);
const block = (userId: string, deposits: boolean, withdrawals: boolean, reason = 'asked for it') =>
  ask(`/users/${userId}`, { block: { deposits, withdrawals, reason }, staff: 'eve' });
const limit = (userId: string, limits: object[]) => ask(`/users/${userId}`, { limits, staff: 'eve' });
const cli = (command: string) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) },
    open: keptOpen(running.database),
  });

async function rich(): Promise<Person> {
  const person = await Person.with(running, intents.redirect);
  const transfer = { transferId: randomUUID(), currency: 'USD', from: 'operator', to: 'main', amount: '500' };
  expect((await ask(`/users/${person.userId}/transfers`, transfer, 'POST')).status).toBe(200);
  return person;
}
const withdrawal = (amount = '100', withdrawalId: string = randomUUID()) => ({
  withdrawalId,
  amount,
  currency: 'USD',
  paymentMethod: 'card_withdrawal',
  fields: { cardNumber: '4111111111111111' },
});
const refused = { status: 422, error: { code: 'banking.merchantClientError' } };
const rowsOf = async (userId: string) =>
  running.database.query({
    text: `select id from deposit where user_id = $1 union all select id from withdrawal where user_id = $1
      union all select deposit_id from deposit_key where user_id = $1 union all select withdrawal_id from withdrawal_key where user_id = $1`,
    values: [userId],
  });

describe('[SRV-1] a blocked user', () => {
  test('cannot deposit, and nothing is stored; the text is in the language of the user', async () => {
    const person = await Person.with(running, intents.redirect);
    expect((await block(person.userId, true, false)).status).toBe(200);
    const answer = await person.create();
    expect(answer).toMatchObject(refused);
    expect(answer.error?.message).toContain('Contact support.');
    expect(await person.createP2p(randomUUID(), {})).toMatchObject({ status: 422 });
    expect(await rowsOf(person.userId)).toEqual([]);
    const german = await running.clients.http.call(
      calls['deposit-create'],
      { amount: '25.00', currency: 'USD', depositId: randomUUID(), paymentType: 'card', selectedCountry: 'IN' },
      { token: person.token, context: { language: 'de' } },
    );
    expect(german.error?.message).toContain('Wenden Sie sich an den Support.');
    await block(person.userId, false, false, 'checked');
    expect((await person.create()).status).toBe(200);
  });

  test('is still credited with money that was on its way', async () => {
    const person = await Person.with(running, intents.redirect);
    const id = randomUUID();
    expect((await person.create(id)).status).toBe(200);
    await block(person.userId, true, true);
    expect(await atProvider(running, id, 'pay')).toBe(303);
    await person.becomes(id, { status: 1 });
    expect(await person.balance()).toBe(2500n);
    // A repeat of the created deposit is answered as before.
    expect((await person.create(id)).status).toBe(200);
  });

  test('cannot withdraw nor confirm a held withdrawal, and the hold can be cancelled', async () => {
    const person = await rich();
    const held = withdrawal();
    expect((await person.call('withdrawal-create', held)).status).toBe(200);
    await block(person.userId, false, true);
    expect(await person.call('withdrawal-create', withdrawal())).toMatchObject(refused);
    const { withdrawalId } = held;
    expect(await person.call('withdrawal-confirm', { withdrawalId })).toMatchObject(refused);
    // Deposits are not blocked.
    expect((await person.create()).status).toBe(200);
    expect((await person.call('withdrawal-cancel', { withdrawalId })).status).toBe(200);
    expect(await person.balance()).toBe(50_000n);
    await block(person.userId, false, false);
    expect((await person.call('withdrawal-create', withdrawal())).status).toBe(200);
  });
});

describe('[SRV-1] the limits of a user', () => {
  test('replace those of the method for deposits, and the widget gets them', async () => {
    const person = await Person.with(running, intents.redirect);
    await limit(person.userId, [
      { direction: 'deposit', currency: 'USD', max: '20' },
      { direction: 'deposit', currency: 'USD', paymentMethod: 'card', min: '2', max: '30' },
      { direction: 'withdrawal', currency: 'USD', max: '50' },
    ]);
    const asked = { currency: 'USD', paymentMethod: 'card' };
    expect((await person.call('deposit-limits', asked)).data).toEqual({ currency: 'USD', min: '2', max: '30' });
    const create = async (amount: string) => (await person.create(randomUUID(), { amount })).error?.code;
    expect([await create('30.01'), await create('30.00'), await create('2.00'), await create('1.99')]).toEqual([
      'limit-max',
      undefined,
      undefined,
      'limit-min',
    ]);
    // The amount is below the shipped minimum, so the rules of the user are read before the insert.
    await block(person.userId, true, false);
    expect(await person.create(randomUUID(), { amount: '2.00' })).toMatchObject(refused);
    const other = await Person.with(running, intents.redirect);
    expect((await other.create(randomUUID(), { amount: '40.00' })).status).toBe(200);
  });

  test('apply to withdrawals, and leave with an empty list', async () => {
    const person = await rich();
    await limit(person.userId, [{ direction: 'withdrawal', currency: 'USD', max: '50' }]);
    const refusal = { error: { code: 'limit-max', params: { max: '50.00' } } };
    expect(await person.call('withdrawal-create', withdrawal('50.01'))).toMatchObject(refusal);
    expect((await person.call('withdrawal-create', withdrawal('50'))).status).toBe(200);
    await limit(person.userId, []);
    expect((await person.call('withdrawal-create', withdrawal('50.01'))).status).toBe(200);
  });

  test.each([
    [{ direction: 'deposit', currency: 'USD' }, 'limits.0.max'],
    [{ direction: 'deposit', currency: 'USD', min: '20', max: '10' }, 'limits.0.max'],
    [{ direction: 'deposit', currency: 'USD', max: '1.001' }, 'limits.0.max'],
    [{ direction: 'deposit', currency: 'NOPE', max: '1' }, 'limits.0.currency'],
    [{ direction: 'withdrawal', currency: 'USD', max: '1', paymentMethod: 'card' }, 'limits.0.paymentMethod'],
    [{ direction: 'deposit', currency: 'USD', max: '1', paymentMethod: 'crad' }, 'limits.0.paymentMethod'],
    [{ direction: 'deposit', currency: 'EUR', max: '1', paymentMethod: 'upi' }, 'limits.0.currency'],
    [{ direction: 'sideways', currency: 'USD', max: '1' }, 'limits.0.direction'],
  ])('%j is refused', async (wrong, path) => {
    const answer = await limit('nobody', [wrong]);
    expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
  });
});

describe('[SRV-1] a user on the command line', () => {
  test('is shown, limited, noted, blocked and unblocked, and each change is recorded', async () => {
    const person = await rich();
    const { userId } = person;
    const id = randomUUID();
    await person.create(id);
    const limited = await cli(`users limit demo ${userId} deposit USD --max 20 --by bob`);
    expect(limited).toMatchObject({ exitCode: 0, errors: '', out: expect.stringContaining('deposit USD') });
    expect((await cli(`users note demo ${userId} "Called about a card" --by bob`)).exitCode).toBe(0);
    const blocked = await cli(`users block demo ${userId} --withdrawals --reason "Lost phone" --by bob`);
    expect(blocked.out).toMatch(/block +withdrawals, since .* by bob: Lost phone/);
    expect(await person.call('withdrawal-create', withdrawal())).toMatchObject(refused);
    const printed = await cli(`users show demo ${userId}`);
    expect(printed.out).toMatch(/balance +500\.00 USD/);
    expect(printed.out).toContain(`open        deposit ${id}: 25.00 USD`);
    expect(printed.out).toContain('bob: Called about a card');
    expect(await view(userId)).toMatchObject({
      limits: [{ direction: 'deposit', currency: 'USD', min: '0', max: '20' }],
      block: { deposits: false, withdrawals: true, reason: 'Lost phone', by: 'bob' },
      notes: [{ note: 'Called about a card', by: 'bob' }],
    });
    expect((await cli(`users unblock demo ${userId} --reason "New phone"`)).out).toMatch(/block +none/);
    await cli(`users limit demo ${userId} deposit USD`);
    expect(await view(userId)).toMatchObject({ limits: [] });
    const { body } = await ask(`/setting-changes?setting=${encodeURIComponent(`user ${userId}`)}`);
    const { changes } = v.parse(settingChangePageSchema, body);
    expect(changes.map(({ by, after }) => [by, after])).toMatchObject([
      ['opencashier', { limits: [] }],
      ['opencashier', { block: { withdrawals: false, reason: 'New phone' } }],
      ['bob', { block: { withdrawals: true, reason: 'Lost phone' } }],
      ['bob', { limits: [{ max: '20' }] }],
    ]);
  });

  test('is not limited for a method that does not exist', async () => {
    const printed = await cli('users limit demo ann deposit USD --max 20 --method crad');
    expect(printed).toMatchObject({ exitCode: 1, out: '' });
    expect(printed.errors).toContain('--method: The catalogue has no method crad. Did you mean card?');
    expect(await view('ann')).toMatchObject({ limits: [] });
  });

  test('is not limited in a currency that the method does not take, and the words are those of the command', async () => {
    await cli('users limit demo cay deposit USD --max 20');
    const printed = await cli('users limit demo cay deposit EUR --max 20 --method upi');
    expect(printed).toMatchObject({ exitCode: 1, out: '' });
    expect(printed.errors).toContain('<currency>: upi does not take EUR, but INR.');
    const amounts = await cli('users limit demo cay deposit EUR --min 30 --max 20');
    expect(amounts.errors).toContain('--max');
    expect(amounts.errors).not.toContain('limits.');
    expect(await view('cay')).toMatchObject({ limits: [{ currency: 'USD', max: '20' }] });
  });

  test.each([
    ['users block demo ann', '--reason'],
    ['users limit demo ann sideways USD --max 1', 'is wrong'],
    ['users show demo "a b"', 'printable characters'],
  ])('refuses %s', async (command, words) => {
    const printed = await cli(command);
    expect(printed.exitCode).toBe(2);
    expect(printed.errors).toContain(words);
  });

  test('a note through the API is kept with its key', async () => {
    const { status, body } = await ask('/users/noted/notes', { note: 'VIP', staff: 'eve' }, 'POST');
    expect([status, v.parse(userViewSchema, body).notes]).toMatchObject([
      200,
      [{ note: 'VIP', by: 'eve', keyId: expect.any(String) }],
    ]);
    await expect(running.database.query({ text: 'delete from user_note' })).rejects.toThrow('written once');
  });
});

describe('[SRV-1] one transaction', () => {
  test('is shown with its payments, journals and webhooks, and all of them by time', async () => {
    const person = await Person.with(running, intents.redirect);
    const id = randomUUID();
    await person.create(id);
    await atProvider(running, id, 'pay');
    await person.becomes(id, { status: 1 });
    const { body } = await ask(`/transactions/${id}`);
    const detail = v.parse(transactionDetailSchema, body);
    expect(detail).toMatchObject({
      type: 'deposit',
      id,
      state: 'credited',
      userId: person.userId,
      payments: [{ origin: 'deposit', state: 'credited', amount: '25.00', currency: 'USD' }],
    });
    const kinds = new Set(detail.timeline.map(({ kind }) => kind));
    for (const kind of ['move', 'report', 'journal', 'payment'] as const) expect(kinds, kind).toContain(kind);
    const times = detail.timeline.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    const printed = await cli(`show ${id}`);
    expect(printed.exitCode).toBe(0);
    expect(printed.out).toMatch(/journal +deposit_credit/);
    expect(JSON.parse((await cli(`show ${id} --json`)).out)).toEqual(detail);
  });

  test('a withdrawal is shown with its decisions', async () => {
    const person = await rich();
    const held = withdrawal();
    await person.call('withdrawal-create', held);
    const detail = v.parse(transactionDetailSchema, (await ask(`/transactions/${held.withdrawalId}`)).body);
    expect(detail).toMatchObject({ type: 'withdrawal', state: 'held', payouts: [], decisions: [] });
    expect(JSON.stringify(detail)).not.toContain('4111');
  });

  test('of an operator is shown where only one of several cells has the operator', async () => {
    const person = await Person.with(running, intents.redirect);
    const id = randomUUID();
    await person.create(id);
    const { database } = running;
    const empty: typeof database = {
      ...database,
      query: async (statement) => (/from operator order by/.test(statement.text) ? [] : database.query(statement)),
    };
    const inCells = (command: string) =>
      runCommand(command, {
        environment: { TOKEN_SECRET: 't'.repeat(32), CELL_DATABASES: 'a=postgres://a/cashier,b=postgres://b/cashier' },
        open: async ({ databaseUrl }) => ({
          ...(databaseUrl === 'postgres://a/cashier' ? empty : database),
          close: async () => undefined,
        }),
      });
    const printed = await inCells(`show ${id} --operator demo`);
    expect(printed).toMatchObject({ exitCode: 0, errors: '' });
    expect(printed.out).toContain(`deposit ${id}`);
    const unknown = await inCells(`show ${id} --operator nobody`);
    expect(unknown).toMatchObject({ exitCode: 1, errors: 'The operator nobody does not exist.\n' });
  });

  test('of nobody is not found', async () => {
    expect((await ask(`/transactions/${randomUUID()}`)).status).toBe(404);
    expect(await cli(`show ${randomUUID()}`)).toMatchObject({ exitCode: 1 });
    expect(await cli('show nonsense')).toMatchObject({ exitCode: 2 });
  });
});
