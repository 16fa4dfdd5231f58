/** The calls before a deposit is created, over both transports and a real database. */
import { randomUUID } from 'node:crypto';
import { type CallName, calls, formFieldSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../../transports/testing/running-app.ts';

let running: RunningApp;
let limited: RunningApp;
beforeAll(async () => {
  running = await startApp();
  limited = await startApp({ RATE_LIMITS: '1' });
});
afterAll(async () => {
  await running?.stop();
  await limited?.stop();
});

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  const call = (name: CallName, request: unknown, token: string, on = running) =>
    on.clients[transport].call(calls[name], request, { token });

  test('[AMT-7] a payment session is noted with what was typed, and nothing is credited from it', async () => {
    const userId = `session-${transport}`;
    const token = await running.tokenOf(userId);
    const request = { amount: '25.00', currency: 'USD', pendingGroup: 'card_method' };
    const first = await call('session-start', request, token);
    const second = await call('session-start', request, token);
    expect(first.status).toBe(200);
    const { paymentSessionId } = first.data as { paymentSessionId: string };
    expect((second.data as { paymentSessionId: string }).paymentSessionId).not.toBe(paymentSessionId);
    const sql = {
      text: `select amount::text, currency, pending_group, client_key, operator_id from payment_session where user_id = $1
        order by created_at, id = $2 desc`,
      values: [userId, paymentSessionId],
    };
    const row = {
      amount: '25.00',
      currency: 'USD',
      pending_group: 'card_method',
      client_key: null,
      operator_id: 'demo',
    };
    expect(await running.database.query(sql)).toEqual([row, row]);

    // A create call only notes the session. The amount of the call counts, not the session's.
    const depositId = randomUUID();
    const create = { amount: '30.00', currency: 'USD', depositId, paymentType: 'card', paymentSessionId };
    expect((await call('deposit-create', create, token)).status).toBe(200);
    expect(await call('deposit-status', { depositId }, token)).toMatchObject({ data: { amount: '30.00', status: 0 } });
    expect((await running.database.query<typeof row>(sql))[0]).toEqual({ ...row, client_key: depositId });
    expect(await accountsOf(userId)).toEqual([]);
  });

  test('[AMT-7] a note that names no session of this user changes nothing', async () => {
    const [mine, theirs] = [await running.tokenOf(`mine-${transport}`), await running.tokenOf(`theirs-${transport}`)];
    const session = await call('session-start', { amount: '25', currency: 'USD' }, theirs);
    const { paymentSessionId } = session.data as { paymentSessionId: string };
    for (const note of [paymentSessionId, randomUUID(), 'not an id']) {
      const create = { amount: '30.00', currency: 'USD', paymentType: 'card', paymentSessionId: note };
      expect((await call('deposit-create', { ...create, depositId: randomUUID() }, mine)).status).toBe(200);
    }
    const rows = await running.database.query({
      text: 'select client_key from payment_session where id = $1',
      values: [paymentSessionId],
    });
    expect(rows).toEqual([{ client_key: null }]);
  });

  test('[AMT-7] a session needs an amount of a known currency above zero, and keeps no group and no amount that no method knows', async () => {
    const userId = `odd-${transport}`;
    const token = await running.tokenOf(userId);
    for (const bad of [{ amount: '0' }, { amount: '0.00' }, { amount: '1.001' }, { currency: 'QQQ' }]) {
      const found = await call('session-start', { amount: '1', currency: 'USD', ...bad }, token);
      expect(found).toMatchObject({ status: 400, error: { code: 'invalid-request', fields: [{ path: 'amount' }] } });
    }
    await call('session-start', { amount: '1', currency: 'USD', pendingGroup: 'me@example.com' }, token);
    await call('session-start', { amount: '919812345670', currency: 'USD' }, token);
    const rows = await running.database.query({
      text: 'select pending_group, amount::text from payment_session where user_id = $1 order by amount',
      values: [userId],
    });
    expect(rows).toEqual([
      { pending_group: null, amount: '1' },
      { pending_group: null, amount: null },
    ]);
  });

  test('[AMT-7] sessions are limited to 30 a minute', async () => {
    const token = await limited.tokenOf(`eager-${transport}`);
    const start = () => call('session-start', { amount: '1', currency: 'USD' }, token, limited);
    for (let count = 0; count < 30; count += 1) expect((await start()).status).toBe(200);
    expect(await start()).toMatchObject({ status: 429, error: { code: 'rate-limited' } });
  });

  test('[FORM-12] the bank is named where the method asks for it, ten times a minute', async () => {
    const token = await limited.tokenOf(`card-${transport}`, { currency: 'KZT', country: 'KZ' });
    const ask = (payment_method: string, bin: string) => call('bank-get', { payment_method, bin }, token, limited);
    expect((await ask('card_kz', '440043')).data).toEqual({ bank: { name: 'Kaspi Bank', country: 'KZ' } });
    expect((await ask('card_kz', '999999')).data).toEqual({ bank: null });
    expect((await ask('card', '440043')).data).toEqual({ bank: null });
    expect((await ask('no_such_method', '440043')).data).toEqual({ bank: null });
    for (let count = 4; count < 10; count += 1) expect((await ask('card_kz', '440043')).status).toBe(200);
    expect(await ask('card_kz', '440043')).toMatchObject({ status: 429, error: { code: 'rate-limited' } });
  });

  test('preparation answers more fields of the method, and the create call checks them', async () => {
    const token = await running.tokenOf(`prepared-${transport}`, { currency: 'MXN', country: 'MX' });
    const prepared = await call('deposit-prepare', { paymentMethod: 'spei_prepared' }, token);
    const { fields } = prepared.data as { fields: { name: string }[] };
    expect(fields.map(({ name }) => name)).toEqual(['clabe', 'birthday']);
    for (const field of fields) expect(v.parse(formFieldSchema, field)).toEqual(field);
    const create = (values: Record<string, string>) =>
      call(
        'deposit-create',
        {
          amount: '500.00',
          currency: 'MXN',
          depositId: randomUUID(),
          paymentType: 'spei_prepared',
          fields: values,
          selectedCountry: 'MX',
        },
        token,
      );
    const good = { fullName: 'Frida K', clabe: '032180000118359719', birthday: '06.07.1907' };
    expect(await create(good)).toMatchObject({ status: 200 });
    expect(await create({ ...good, clabe: '12' })).toMatchObject({
      status: 422,
      error: { code: 'banking.paymentMethodRegex', fields: [{ path: 'fields.clabe' }] },
    });
    expect((await call('deposit-prepare', { paymentMethod: 'card' }, token)).data).toEqual({});
    expect(await call('deposit-prepare', { paymentMethod: 'no_such_method' }, token)).toMatchObject({
      status: 422,
      error: { code: 'method-unavailable' },
    });
  });

  test('an unfinished deposit of the method is found again, with what is needed to go on', async () => {
    const token = await running.tokenOf(`unfinished-${transport}`);
    const check = async (paymentMethod = 'card') => (await call('deposit-check', { paymentMethod }, token)).data;
    expect(await check()).toEqual({ exists: false });
    const depositId = randomUUID();
    await call('deposit-create', { amount: '25.00', currency: 'USD', depositId, paymentType: 'card' }, token);
    expect(await check()).toMatchObject({ exists: true, depositId, amount: '25.00', currency: 'USD' });
    expect(await check('webmoney_usd')).toEqual({ exists: false });
    await call('deposit-cancel', { depositId, paymentMethod: 'card' }, token);
    expect(await check()).toEqual({ exists: false });
  });

  test('[LIST-3] regions are the countries in which something can be paid', async () => {
    const token = await running.tokenOf('regions');
    const { countries } = (await call('methods-country-selector-v2', {}, token)).data as {
      countries: { code: string; name: string; currencies: string[] }[];
    };
    expect(countries.length).toBeGreaterThanOrEqual(6);
    expect(new Set(countries.map(({ code }) => code)).size).toBe(countries.length);
    for (const { code, currencies } of countries) {
      const found = await call('methods-payment-v5', { country: code, currency: currencies[0] }, token);
      expect((found.data as { methods: object[] }).methods.length, code).toBeGreaterThan(0);
    }
  });
});

async function accountsOf(userId: string): Promise<unknown[]> {
  return running.database.query({ text: 'select 1 from account where owner = $1', values: [userId] });
}
