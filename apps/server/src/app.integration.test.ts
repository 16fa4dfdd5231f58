/** The whole server as `main.ts` assembles it: a real database, the real ledger, the sandbox over HTTP. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, type DepositResponse, type Transaction } from '@opencashier/contract/api';
import { balancesResponseSchema, createUserToken } from '@opencashier/contract/operator';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { openTestDatabase, type TestDatabase } from './database/testing/test-database.ts';
import { ConfigError } from './errors/config-error.ts';
import { createLogger } from './observability/logger.ts';
import {
  httpClient,
  openSocket,
  socketClient,
  type TestClient,
  widgetFixture,
} from './transports/testing/running-server.ts';

const operatorKey = `sk_demo_${'k'.repeat(40)}`;
const dataDir = mkdtempSync(join(tmpdir(), 'cashier-app-'));
const logger = createLogger('silent');
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  SANDBOX: '1',
  SANDBOX_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  SEED_DEMO_OPERATOR_KEY: operatorKey,
  SEED_DEMO_ORIGIN: 'https://play.example, http://localhost:3001',
  WIDGET_DIR: widgetFixture,
});

let store: TestDatabase;
let app: App;

beforeAll(async () => {
  store = await openTestDatabase();
  app = await createApp(config, { logger, database: store.database });
  await app.start();
});
afterAll(async () => {
  await app?.stop();
  await store?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const asOperator = (path: string, init: RequestInit = {}, url = app.url) =>
  fetch(`${url}/operator/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
  });

async function tokenOf(userId: string, url = app.url): Promise<string> {
  const body = JSON.stringify({ userId, currency: 'USD', country: 'IN' });
  const response = await asOperator('/user-tokens', { method: 'POST', body }, url);
  expect(response.status).toBe(200);
  return v.parse(createUserToken.response, await response.json()).token;
}

const balances = async (userId: string) =>
  v.parse(balancesResponseSchema, await (await asOperator(`/users/${userId}/balances`)).json()).balances;

describe.each(['http', 'socket'] as const)('a deposit over %s', (transport) => {
  const withClient = async (work: (client: TestClient) => Promise<void>) => {
    const client = transport === 'http' ? httpClient(app.url) : socketClient(app.url);
    try {
      await work(client);
    } finally {
      client.close();
    }
  };

  test('[SRV-6] is created once per key, paid on the page of the provider, and credited once', () =>
    withClient(async (client) => {
      const userId = `payer-${transport}`;
      const token = await tokenOf(userId);
      const request = { amount: '25.00', currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
      const create = () => client.call(calls['deposit-create'], request, { token });
      const status = async () =>
        (await client.call(calls['deposit-status'], { depositId: request.depositId }, { token })).data as Transaction;

      const listener = openSocket(app.url, { token });
      const pushed = new Promise((resolve) => listener.once('deposit.status', resolve));
      await new Promise<void>((resolve) => listener.once('connect', resolve));

      const [first, second] = await Promise.all([create(), create()]);
      expect([first.status, second.status].sort()).toContain(200);
      expect(await create()).toEqual(first.status === 200 ? first : second);
      const changed = await client.call(calls['deposit-create'], { ...request, amount: '26.00' }, { token });
      expect(changed).toMatchObject({ status: 422, error: { code: 'idempotency-conflict' } });
      expect(await status()).toMatchObject({ status: 0, amount: '25.00' });
      expect(await balances(userId)).toEqual([]);

      const again = (await create()).data as DepositResponse;
      const { source } = again.apiResponse;
      const address = typeof source === 'string' ? source : source?.action;
      const page = new URL(address ?? '', app.url);
      const path = `${app.url}${page.pathname}`;
      const html = await (await fetch(path)).text();
      const formToken = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const decided = await fetch(`${path}/decision`, {
        method: 'POST',
        body: new URLSearchParams({ token: formToken, decision: 'approve' }),
        redirect: 'manual',
      });
      expect(decided.status).toBe(303);

      await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 1, finalAmount: '25.00' }), {
        timeout: 20_000,
        interval: 100,
      });
      expect(await pushed).toMatchObject({ depositId: request.depositId });
      listener.disconnect();
      expect(await balances(userId)).toEqual([{ currency: 'USD', amount: '25.00' }]);
      const list = await client.call(calls['methods-payment-v5'], { country: 'IN', currency: 'USD' }, { token });
      expect(list.data).toMatchObject({ balance: { currency: 'USD', amount: '25.00' } });
    }));

  test('[SRV-8] outside the limits, with too many decimals or by an unknown method is refused, and nothing is stored', () =>
    withClient(async (client) => {
      const token = await tokenOf(`refused-${transport}`);
      const good = { amount: '25.00', currency: 'USD', paymentType: 'card' };
      for (const [bad, code] of [
        [{ amount: '1.00' }, 'limit-min'],
        [{ amount: '999999.00' }, 'limit-max'],
        [{ amount: '25.001' }, 'invalid-request'],
        [{ paymentType: 'no_such_method' }, 'method-unavailable'],
        [{ currency: 'NGN' }, undefined],
      ] as const) {
        const depositId = randomUUID();
        const found = await client.call(calls['deposit-create'], { ...good, ...bad, depositId }, { token });
        expect(found.status, JSON.stringify(found)).toBeGreaterThanOrEqual(400);
        expect(found.status).toBeLessThan(500);
        if (code !== undefined) expect(found.error?.code).toBe(code);
        const status = await client.call(calls['deposit-status'], { depositId }, { token });
        expect(status).toMatchObject({ status: 404 });
      }
    }));

  test('belongs to its user alone', () =>
    withClient(async (client) => {
      const [mine, theirs] = [await tokenOf(`mine-${transport}`), await tokenOf(`theirs-${transport}`)];
      const depositId = randomUUID();
      const request = { amount: '25.00', currency: 'USD', depositId, paymentType: 'card' };
      expect((await client.call(calls['deposit-create'], request, { token: mine })).status).toBe(200);
      expect((await client.call(calls['deposit-status'], { depositId }, { token: theirs })).status).toBe(404);
    }));
});

test('no text that a stranger can think of makes a 5xx of any call, on the real database', async () => {
  const patient = await createApp({ ...config, hasRateLimits: false }, { logger, database: store.database });
  await patient.start();
  const token = await tokenOf('stranger', patient.url);
  const client = httpClient(patient.url);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('\0', 'a\0b', '\ud800', "'; drop table deposit; --", '\u202e', '😀'.repeat(400), '%s', '__proto__'),
  );
  const mostly = (value: string, other: fc.Arbitrary<string>) =>
    fc.oneof({ arbitrary: fc.constant(value), weight: 9 }, { arbitrary: other, weight: 1 });
  let accepted = 0;
  const request = fc.record(
    {
      // Mostly good, so that the strange texts get as far as the database.
      amount: mostly('25.00', fc.oneof(fc.constantFrom('0', '9'.repeat(39), '0.00000001'), text)),
      currency: mostly('USD', fc.constantFrom('INR', 'BRL', 'BTC', 'QQQ')),
      depositId: fc.uuid(),
      paymentType: mostly('card', fc.constantFrom('upi', 'pix', 'paytm_wallet', 'btc', 'card_withdrawal')),
      fields: fc.dictionary(fc.constantFrom('cpf', 'phone', 'constructor', 'toString', 'x'), text, { maxKeys: 3 }),
      wallet: text,
      bonusId: text,
      paymentSessionId: text,
      returnUrl: fc.oneof(
        text,
        fc.constantFrom('javascript:alert(1)', 'https://evil.example', 'http://localhost:3001/\0'),
      ),
      abTestGroup: text,
      selectedCountry: mostly('IN', fc.constantFrom('BR', 'ZZ')),
    },
    { requiredKeys: ['amount', 'currency', 'depositId', 'paymentType'] },
  );
  await fc.assert(
    fc.asyncProperty(request, text, async (body, language) => {
      const created = await client.call(calls['deposit-create'], body, { token, context: { language } });
      expect(created.status, JSON.stringify(created)).toBeLessThan(500);
      if (created.status === 200) accepted += 1;
      for (const name of ['deposit-status', 'deposit-cancel', 'deposit-complete', 'deposit-check'] as const) {
        const given = { depositId: body.depositId, paymentMethod: body.paymentType };
        const { depositId, ...method } = given;
        const ask = name === 'deposit-check' ? method : { depositId, ...method };
        const found = await client.call(calls[name], ask, { token, context: { language } });
        expect(found.status, `${name} ${JSON.stringify(found)}`).toBeLessThan(500);
      }
    }),
    { numRuns: 150 },
  );
  expect(accepted).toBeGreaterThan(10);
  await patient.stop();
}, 120_000);

describe('the operator', () => {
  test('[SRV-1] is seeded again at every boot: same operator, new key and origins, the old key refused', async () => {
    const newKey = `sk_demo_${'n'.repeat(40)}`;
    const demoOperator = { ...config.demoOperator, secretKey: newKey, origins: ['https://new.example'] };
    const second = await createApp(
      { ...config, demoOperator: { webhookUrl: undefined, webhookSecret: undefined, ...demoOperator } },
      { logger, database: store.database },
    );
    await second.start();
    const mint = (key: string) =>
      fetch(`${second.url}/operator/v1/user-tokens`, {
        method: 'POST',
        body: '{"userId":"a","currency":"USD"}',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
    expect((await mint(newKey)).status).toBe(200);
    expect((await mint(operatorKey)).status).toBe(401);
    const page = await fetch(`${second.url}/cashier/?partner=demo`);
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://new.example;');
    const [, reportUri = ''] = /report-uri ([^;\s]+)/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
    const report = {
      'csp-report': { 'document-uri': page.url, 'effective-directive': 'img-src', 'blocked-uri': 'inline' },
    };
    const told = await fetch(new URL(reportUri, page.url), {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body: JSON.stringify(report),
    });
    expect(told.status).toBe(204);
    const metrics = await (await fetch(`${second.url}/metrics`)).text();
    expect(metrics).toContain('cashier_csp_violations_total{directive="img-src",blocked="inline"} 1');
    await second.stop();
    // Only hashes lie in the database.
    const rows = await store.database.query<{ row: string }>({
      text: `select row_to_json(operator_api_key)::text as row from operator_api_key
        union all select row_to_json(operator)::text from operator`,
    });
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.map(({ row }) => row).join()).not.toMatch(/sk_demo_/);
  });

  test('[SRV-1] does not begin with a sandbox whose callbacks nothing signs, and names the setting', async () => {
    const unsigned = createApp({ ...config, sandboxProviderSecret: undefined }, { logger, database: store.database });
    await expect(unsigned).rejects.toThrow(
      new ConfigError(['SANDBOX_PROVIDER_SECRET must be set where SANDBOX is on.']),
    );
  });

  test('[SRV-9] stops cleanly, twice if need be, and leaves nothing listening', async () => {
    const own = await createApp(config, { logger, database: store.database });
    await own.start();
    expect((await fetch(`${own.url}/ready`)).status).toBe(200);
    await own.stop();
    await own.stop();
    await expect(fetch(`${own.url}/health`)).rejects.toThrow();
    expect(await store.database.query({ text: 'select 1 as one' })).toHaveLength(1);
  });
});
