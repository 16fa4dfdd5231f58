/** An operator changes its catalogue on one node. Users call another node with the same database. */

import { randomUUID } from 'node:crypto';
import { calls, type MethodList } from '@opencashier/contract/api';
import { type CatalogueResponse, catalogueResponseSchema, listCatalogueChanges } from '@opencashier/contract/operator';
import { createTestClock } from '@opencashier/core/time/test-clock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../app.ts';
import { noSettings } from '../../catalogue/own-settings.ts';
import { saveSettings } from '../../catalogue/settings-store.ts';
import { appOperatorKey, type RunningApp, startApp, startOtherNode } from '../../transports/testing/running-app.ts';
import { httpClient, type TestClient } from '../../transports/testing/running-server.ts';

const shared = { TOKEN_SECRET: 't'.repeat(32), PUBLIC_URL: 'http://localhost:9' };
/** The clock stands still, so no periodic refresh runs. A change that is visible was found by the call itself. */
const clock = createTestClock(Date.now());
let here: RunningApp;
let other: App;
let people: TestClient;
let token: string;

beforeAll(async () => {
  here = await startApp(shared, clock);
  other = await startOtherNode(here, shared, clock);
  people = httpClient(other.url);
  token = await here.tokenOf('ann');
});
afterAll(async () => {
  await other?.stop();
  await here?.stop();
});

const asked = async (path: string, body?: object, key = appOperatorKey) => {
  const response = await fetch(`${here.url}/operator/v1/catalogue${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};
const read = async (): Promise<CatalogueResponse> => v.parse(catalogueResponseSchema, (await asked('')).body);
/** Replaces the current settings. */
const put = async (path: string, settings: object): Promise<CatalogueResponse> => {
  const { version } = await read();
  const { status, body } = await asked(path, { version, staff: 'maria', ...settings });
  expect(status, JSON.stringify(body)).toBe(200);
  return v.parse(catalogueResponseSchema, body);
};
afterEach(() => put('', {}));

const call = (name: keyof typeof calls, request: object) => people.call(calls[name], request, { token });
const listed = async (): Promise<MethodList> =>
  (await call('methods-payment-v5', { country: 'IN', currency: 'USD' })).data as MethodList;
const deposit = (more: object = {}) =>
  call('deposit-create', { amount: '50.00', currency: 'USD', depositId: randomUUID(), paymentType: 'card', ...more });
const codeOf = ({ status, error }: { status: number; error?: { code: string } | undefined }) => error?.code ?? status;

test('[SRV-1] whether the page shows the list is a setting, which other changes keep', async () => {
  expect((await put('', {})).listInPage).toBe(true);
  expect((await put('', { listInPage: false })).listInPage).toBe(false);
  expect((await put('/methods/card', { position: 3 })).listInPage).toBe(false);
});

describe('at the other node, on the very next call', () => {
  test('[LIST-7] [SRV-7] a disabled method is refused when a deposit is created, and works again when it is enabled', async () => {
    const list = await listed();
    expect(list.methods.map(({ name }) => name)).toContain('card');
    await put('/methods/card', { enabled: false });
    // Nobody requested the list in between. The insert itself finds that the catalogue has changed.
    expect(codeOf(await deposit())).toBe('method-unavailable');
    expect((await listed()).groups.flatMap(({ paymentMethods }) => paymentMethods)).not.toContain('card');
    await put('/methods/card', {});
    expect(codeOf(await deposit())).toBe(200);
    expect(await listed()).toEqual(list);
  });

  test('[AMT-3] [SRV-7] calls of a form about a method that has just been enabled are answered', async () => {
    const forms = [
      ['deposit-limits', { currency: 'USD', paymentMethod: 'card' }],
      ['deposit-prepare', { paymentMethod: 'card' }],
    ] as const;
    for (const [name, request] of forms) {
      await put('/methods/card', { enabled: false });
      // The other node has refused the method, so it knows that the method is disabled.
      expect(codeOf(await deposit())).toBe('method-unavailable');
      expect(codeOf(await call(name, request)), name).toBe('method-unavailable');
      await put('/methods/card', {});
      expect(codeOf(await call(name, request)), name).toBe(200);
    }
  });

  test('[LIST-2] [SRV-7] the next list has the new order, without the groups that are off', async () => {
    const before = await listed();
    const last = before.groups.at(-1)?.name ?? '';
    const off = before.groups[0]?.name ?? '';
    await put('', {
      groups: { [last]: { position: -1 }, [off]: { enabled: false } },
      methods: { upi: { enabled: false } },
    });
    const after = await listed();
    expect(after.groups.map(({ name }) => name)).toEqual(
      [last, ...before.groups.map(({ name }) => name)].filter(
        (name, at) => name !== off && (at === 0 || name !== last),
      ),
    );
    expect(codeOf(await deposit())).toBe('method-unavailable');
  });

  test('[AMT-3] [SRV-8] narrower limits are on the list and are enforced, with the error that widgets translate', async () => {
    await put('/methods/card', { limits: { USD: { min: '20', max: '100' } } });
    expect(await deposit({ amount: '100.01' })).toMatchObject({
      error: { code: 'limit-max', params: { max: '100.00' } },
    });
    expect(await deposit({ amount: '19.99' })).toMatchObject({
      error: { code: 'limit-min', params: { min: '20.00' } },
    });
    expect(codeOf(await deposit({ amount: '100.00' }))).toBe(200);
    const rule = (await listed()).methods.find(({ name }) => name === 'card')?.amount_rules['USD'];
    expect(rule).toEqual({ min: '20', max: '100' });
  });

  test('[WD-2] [SRV-7] a disabled withdrawal method holds no money', async () => {
    const transfer = { transferId: randomUUID(), amount: '100', currency: 'USD', from: 'operator', to: 'main' };
    await fetch(`${here.url}/operator/v1/users/ann/transfers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(transfer),
    });
    const withdraw = () =>
      call('withdrawal-create', {
        withdrawalId: randomUUID(),
        amount: '50',
        currency: 'USD',
        paymentMethod: 'card_withdrawal',
        fields: { cardNumber: '4111111111111111' },
      });
    await put('/methods/card_withdrawal', { enabled: false });
    expect(codeOf(await withdraw())).toBe('method-unavailable');
    const list = (await call('methods-withdrawal', { country: 'IN', currency: 'USD' })).data as MethodList;
    expect(list).toMatchObject({ balance: { amount: '100.00' }, additionalBalance: { amount: '0.00' } });
    expect(list.methods.map(({ name }) => name)).not.toContain('card_withdrawal');
    await put('/methods/card_withdrawal', { limits: { USD: { max: '40' } } });
    expect(codeOf(await withdraw())).toBe('limit-max');
    await put('/methods/card_withdrawal', {});
    expect(codeOf(await withdraw())).toBe(200);
  });
});

test('[SRV-3] [SRV-6] a deposit in progress continues when its method is disabled: repeat, status, and the fields of “paid”', async () => {
  const request = {
    amount: '1000',
    currency: 'BDT',
    depositId: randomUUID(),
    paymentMethod: 'bkash_p2p',
    fields: { wallet: '01712345678' },
    selectedCountry: 'BD',
  };
  const first = await call('deposit-create-p2p', request);
  expect(first.status, JSON.stringify(first.error)).toBe(200);
  await put('/methods/bkash_p2p', { enabled: false });
  // The other node knows that the method is disabled.
  await listed();
  expect((await call('deposit-create-p2p', request)).data).toEqual(first.data);
  expect((await call('deposit-status', { depositId: request.depositId })).status).toBe(200);
  // The method still requires the receipt number.
  const { depositId, paymentMethod } = request;
  const asksReceipt = await call('deposit-complete', { depositId, paymentMethod });
  expect(asksReceipt.error?.fields).toMatchObject([{ path: 'confirmationId' }]);
  const said = { depositId, paymentMethod, confirmationId: '12345678' };
  expect(codeOf(await call('deposit-complete', said))).toBe(200);
});

describe('the operator API', () => {
  test('[SRV-1] shows the shipped and the own settings of every method, even if its provider is not set up', async () => {
    await put('/methods/card', { enabled: false, position: 3, limits: { USD: { max: '100' } } });
    const { methods, groups } = await read();
    expect(methods.find(({ name }) => name === 'card')).toMatchObject({
      title: 'Bank card',
      directions: ['deposit'],
      isProviderSetUp: true,
      enabled: false,
      isOffered: false,
      position: 3,
      shippedPosition: 100,
      limits: { USD: { max: '100' } },
      shippedLimits: { USD: { min: '5', max: '5000' } },
    });
    expect(methods.find(({ name }) => name === 'card_stripe')).toMatchObject({
      isProviderSetUp: false,
      enabled: true,
      isOffered: false,
    });
    expect(groups.find(({ name }) => name === 'crypto')).toMatchObject({ enabled: true, position: 7 });
  });

  test('[SRV-1] refuses a change based on an older version, and one of two simultaneous changes', async () => {
    const { version } = await read();
    const change = (staff: string) => asked('/methods/card', { version, staff, position: 2 });
    const answers = await Promise.all(['maria', 'john'].map(change));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? 'maria' : 'john';
    const late = await change('late');
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'state-conflict', params: { version: String(version + 1) } } },
    });
    expect(late.body.error.message).toContain(`by ${winner}`);
    expect((await read()).version).toBe(version + 1);
  });

  test('[SRV-1] accepts one of two simultaneous first changes and refuses the other', async () => {
    await here.database.query({
      text: `insert into operator (id, partner_key, name) values ('fresh', 'fresh', 'Fresh')`,
    });
    const first = (staff: string) =>
      saveSettings(here.database, 'fresh', {
        version: 0,
        settings: { methods: { card: {} }, groups: {} },
        staff,
        before: noSettings,
      });
    expect((await Promise.all(['maria', 'john'].map(first))).sort()).toEqual([false, true]);
    expect(await first('late')).toBe(false);
  });

  test('[SRV-1] names each setting that is not possible, and changes nothing', async () => {
    const { version } = await read();
    const wrong = { version, staff: 'maria', limits: { USD: { min: '1', max: '9.999' }, RUB: { max: '700' } } };
    const { status, body } = await asked('/methods/card', wrong);
    expect([status, body.error.code]).toEqual([400, 'invalid-request']);
    expect(body.error.fields.map(({ path }: { path: string }) => path)).toEqual([
      'limits.USD.max',
      'limits.USD.min',
      'limits.RUB.max',
    ]);
    for (const [path, settings, expected] of [
      ['/methods/no_such', {}, 404],
      ['/groups/no_such', {}, 404],
      ['', { methods: { no_such: {} } }, 400],
      ['', { methods: { card: { enabeld: false } } }, 400],
      ['/methods/card', { position: 1.5 }, 400],
      ['/methods/card', { staff: 'two words' }, 400],
      ['/groups/crypto', { limits: {} }, 400],
    ] as const) {
      const answer = await asked(path, { version, staff: 'maria', ...settings });
      expect([path, answer.status]).toEqual([path, expected]);
    }
    expect((await asked('', {}, 'sk_wrong')).status).toBe(401);
    expect((await read()).version).toBe(version);
  });

  test('[SRV-1] accepts that everything is disabled, and warns', async () => {
    const { groups } = await read();
    const all = Object.fromEntries(groups.map(({ name }) => [name, { enabled: false }]));
    expect((await put('', { groups: all })).warnings).toHaveLength(2);
    expect(await listed()).toMatchObject({ groups: [], methods: [] });
  });

  test('[SRV-1] stores for ever who changed what and when', async () => {
    await put('/groups/crypto', { enabled: false });
    const { version } = await read();
    const { changes, nextCursor } = v.parse(listCatalogueChanges.response, (await asked('/changes?limit=1')).body);
    expect(changes).toMatchObject([{ version, staff: 'maria', groups: { crypto: { enabled: false } }, methods: {} }]);
    const older = v.parse(listCatalogueChanges.response, (await asked(`/changes?cursor=${nextCursor}`)).body);
    expect(older.changes[0]?.version).toBe(version - 1);
    for (const text of [
      'delete from catalogue_change',
      `update catalogue_change set staff = 'nobody'`,
      'delete from catalogue_settings',
      'update catalogue_settings set version = version + 2',
    ]) {
      await expect(here.database.query({ text })).rejects.toThrow();
    }
  });
});
