/** A package that one operator's payments crash, through the whole server: the other operator goes on, and staff see who is the cause. */
import { randomUUID } from 'node:crypto';
import type { ConnectionList } from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProviderHome, installCanary, type ProviderHome } from '../provider-processes/testing/provider-home.ts';
import { askProviderNow, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { addOperator } from './connected-operator.fixture.ts';

const POISON = '66.00';
const soon = { timeout: 30_000, interval: 50 };
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123"/></svg>';
const catalogue = {
  methods: {
    canary_card: {
      provider: 'canary',
      group: 'card_method',
      directions: ['deposit'],
      countries: ['DE'],
      limits: { EUR: { min: '5', max: '1000' } },
      title: { en: 'Canary' },
      icons: ['card'],
    },
  },
};
let home: ProviderHome;
let running: RunningApp;
let otherKey: string;

beforeAll(async () => {
  home = createProviderHome({
    canary: { package: 'canary', hosts: [], secrets: { key: '$PROVIDER_KEY_CANARY' } },
    steady: { package: 'steady', hosts: [], secrets: {} },
  });
  home.write({
    'node_modules/steady/package.json': '{"name":"steady","type":"module","exports":"./index.js"}',
    'node_modules/steady/provider.json': JSON.stringify({ kit: 1, name: 'steady', secrets: [] }),
    'node_modules/steady/index.js': `export const createProvider = () => ({
      name: 'steady',
      create: async ({ depositId }) => ({ kind: 'created', providerRef: depositId, source: 'https://steady.example/' + depositId }),
      inquire: async () => undefined,
      verify: () => ({ kind: 'rejected', reason: 'none' }),
      read: () => undefined,
    });`,
  });
  installCanary(
    home,
    `if (deposit.amountMinor === 6600n) { setTimeout(() => process.exit(1), 20); return new Promise(() => undefined); }
    return { kind: 'created', providerRef: deposit.depositId, source: 'https://pay.example/' + deposit.depositId };`,
    { code: `inquire: async ({ depositId }) => { if (depositId.startsWith('66666666-')) process.exit(1); },` },
  );
  running = await startApp({ PROVIDERS_FILE: home.file, PROVIDER_KEY_CANARY: 'own-secret' });
  otherKey = await addOperator(running, 'other');
  for (const key of [appOperatorKey, otherKey]) {
    const set = await ask(key, 'PUT', '/catalogue', { ...catalogue, icons: { card: svg }, version: 0, staff: 'eve' });
    if (!set.ok) throw new Error(await set.text());
  }
});
afterAll(async () => {
  await running?.stop();
  home?.remove();
});

function ask(key: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${running.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function personOf(key: string, amount: string): Promise<Person> {
  const person = new Person(running, { method: 'canary_card', amount, currency: 'EUR', country: 'DE' });
  const made = await ask(key, 'POST', '/user-tokens', { userId: person.userId, currency: 'EUR', country: 'DE' });
  person.token = ((await made.json()) as { token: string }).token;
  return person;
}

async function quarantineOf(key: string) {
  const { installation } = (await (await ask(key, 'GET', '/connections')).json()) as ConnectionList;
  return installation.find(({ provider }) => provider === 'canary')?.quarantine;
}

const metric = async (name: string) => {
  const text = await (await fetch(`${running.url}/metrics`)).text();
  return new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1];
};

test('[SRV-3] [SRV-9] payments that crash a package are unknown, run apart after the third, and the other operator goes on', async () => {
  const poisoned = await personOf(appOperatorKey, POISON);
  const innocent = await personOf(otherKey, '25.00');
  const crash = async () => {
    const depositId = randomUUID();
    // Its methods are off while its process is down.
    await vi.waitFor(async () => expect((await poisoned.create(depositId)).error?.code).toBe('unknown-outcome'), soon);
    expect(await poisoned.status(depositId)).toMatchObject({ isOutcomeUnknown: true });
  };
  for (let n = 0; n < 3; n += 1) await crash();
  await vi.waitFor(
    async () => expect(await quarantineOf(appOperatorKey)).toMatchObject({ state: 'suspected', crashes: 0 }),
    soon,
  );
  await vi.waitFor(async () => expect((await innocent.create()).status).toBe(200), soon);

  await crash();
  await vi.waitFor(
    async () => expect(await quarantineOf(appOperatorKey)).toMatchObject({ state: 'proven', crashes: 1 }),
    soon,
  );
  // The shared process did not notice.
  expect((await innocent.create()).status).toBe(200);
  expect(await metric('cashier_provider_up{provider="canary"}')).toBe('1');
  expect(await metric('cashier_provider_starts{provider="canary"}')).toBe('4');
  expect(await metric('cashier_provider_quarantined{provider="canary",state="proven"}')).toBe('1');
  expect(await quarantineOf(otherKey)).toBeUndefined();
  expect(running.log.join('\n')).toMatch(/"operator":"demo".*they run in a process of their own/);
});

test('[SRV-4] [SRV-9] a route passes an account over whose own process is down, and the account is used again once it is up', async () => {
  const key = await addOperator(running, 'routed');
  await ask(key, 'PUT', '/catalogue', { ...catalogue, icons: { card: svg }, version: 0, staff: 'eve' });
  const accounts = [{ installation: 'canary' }, { installation: 'steady' }];
  const routes = { canary_card: { strategy: 'priority', accounts } };
  const set = await ask(key, 'PUT', '/routes', { routes, version: 0, staff: 'eve' });
  expect(set.status, await set.text()).toBe(200);
  const poisoned = await personOf(key, POISON);
  const payer = await personOf(key, '25.00');
  const decisionOf = async (deposit: string): Promise<unknown> =>
    (await ask(key, 'GET', `/routes/decisions/${deposit}`)).json();

  await vi.waitFor(async () => {
    await poisoned.create();
    expect(await quarantineOf(key)).toMatchObject({ state: 'proven' });
    const depositId = randomUUID();
    expect((await payer.create(depositId)).status).toBe(200);
    // The process of all others is up, so the account is rejected for its own one.
    expect(await metric('cashier_provider_up{provider="canary"}')).toBe('1');
    expect(await decisionOf(depositId)).toMatchObject({
      order: [{ provider: 'steady' }],
      rejected: [{ provider: 'canary', because: 'not-set-up' }],
    });
  }, soon);
  await vi.waitFor(async () => {
    const depositId = randomUUID();
    expect((await payer.create(depositId)).status).toBe(200);
    expect(await decisionOf(depositId)).toMatchObject({
      order: [{ provider: 'canary' }, { provider: 'steady' }],
    });
  }, soon);
});

test('[SRV-9] an inquiry at the account of the installation counts as the one of its operator', async () => {
  const person = await personOf(otherKey, '25.00');
  const depositId = `66666666-${randomUUID().slice(9)}`;
  await vi.waitFor(async () => expect((await person.create(depositId)).status).toBe(200), soon);
  await vi.waitFor(async () => {
    await askProviderNow(running, { table: 'deposit', id: depositId });
    expect(await quarantineOf(otherKey)).toMatchObject({ state: expect.stringMatching(/^(?:suspected|proven)$/) });
  }, soon);
  const named = running.log.filter((line) => line.includes('the process of a provider ended')).at(-1);
  expect(named).toContain('"suspects":["other/"]');
});
