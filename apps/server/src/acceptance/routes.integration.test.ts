/** Operators' routes through the whole server: how they are set, what they decide, and what two nodes know of failing accounts. */
import { randomUUID } from 'node:crypto';
import {
  type ConnectionView,
  type RoutesResponse,
  type RoutingDecisionView,
  transactionDetailSchema,
} from '@opencashier/contract/operator';
import { FAILURES_TO_DEMOTE } from '@opencashier/core/routing/account-health';
import { systemClock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../app.ts';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { constraintOf } from '../database/pool-database.ts';
import type { Answer } from '../providers/stripe/stripe-api.fixture.ts';
import { intents, Person } from '../transports/testing/person.ts';
import { startOtherNode } from '../transports/testing/running-app.ts';
import { httpClient } from '../transports/testing/running-server.ts';
import { type Connected, masterKey, startConnected, stripeKey } from './connected-operator.fixture.ts';

const card = { method: 'card_stripe', amount: '25.00', currency: 'EUR', country: 'DE' } as const;
const soon = { timeout: 20_000, interval: 100 };
const shared = { TOKEN_SECRET: 't'.repeat(40), PUBLIC_URL: 'http://localhost:3999' };

let connected: Connected;
let other: App;
let [main, backup]: ConnectionView[] = [];
/** The names of the connections whose requests fail. */
const failing = new Set<string>();
beforeAll(async () => {
  connected = await startConnected(shared);
  const usual = connected.stripe.answer;
  connected.stripe.answer = (asked): Answer | 'break' => {
    const isFailing = [...failing].some((name) => String(asked.headers.authorization).includes(stripeKey(name)));
    return isFailing ? { status: 401, body: { error: { type: 'invalid_request_error' } } } : usual(asked);
  };
  other = await startOtherNode(
    connected.running,
    { ...shared, MASTER_KEY: masterKey('2026-01') },
    systemClock,
    connected.stripeApi,
  );
  main = await connected.connect('main');
  backup = await connected.connect('backup');
  await enable('main');
});
afterAll(async () => {
  await other?.stop();
  await connected?.stop();
});

const idOf = (name: string) => (name === 'main' ? main : backup)?.connectionId ?? '';
const enable = (name: string) => connected.ask('PATCH', `/connections/${idOf(name)}`, { isEnabled: true });
const routes = async () => (await connected.ask('GET', '/routes')).body as RoutesResponse;
const put = async (wanted: object, version?: number) =>
  connected.ask('PUT', '/routes', {
    version: version ?? (await routes()).version,
    staff: 'maria',
    routes: {
      card_stripe: { strategy: 'priority', accounts: [{ connection: 'main' }, { connection: 'backup' }], ...wanted },
    },
  });
const decisionOf = async (depositId: string) =>
  (await connected.ask('GET', `/routes/decisions/${depositId}`)).body as RoutingDecisionView;
const connectionOf = async (depositId: string) => {
  const [row] = await connected.running.database.query<{ id: string }>({
    text: 'select connection_id as id from deposit where id = $1',
    values: [depositId],
  });
  return row?.id;
};
const pay = async (at?: App) => {
  const person = await Person.with(connected.running, card);
  const url = at?.url;
  const payer =
    url === undefined
      ? person
      : Object.assign(
          new Person({ ...connected.running, clients: { ...connected.running.clients, http: httpClient(url) } }, card),
          {
            token: person.token,
          },
        );
  const depositId = randomUUID();
  expect((await payer.create(depositId)).status).toBe(200);
  return depositId;
};

describe('[SRV-4] routes are set', () => {
  test.each([
    ['an unknown connection', { accounts: [{ connection: 'mian' }] }, 'accounts.0.connection', 'Did you mean main?'],
    [
      'an account without a name',
      { accounts: [{ priority: 1 }] },
      'accounts.0',
      'Give either connection or installation.',
    ],
    ['an account twice', { accounts: [{ connection: 'main' }, { connection: 'main' }] }, 'accounts.1', 'twice'],
    ['exploration of priorities', { exploration: 5 }, 'exploration', 'Only the strategy success-rate explores'],
    [
      'an amount with three decimals',
      { accounts: [{ connection: 'main', limits: { EUR: { min: '1.001' } } }] },
      'accounts.0.limits.EUR.min',
      '2 decimals',
    ],
    [
      'limits the wrong way round',
      { accounts: [{ connection: 'main', limits: { EUR: { min: '9.00', max: '2.00' } } }] },
      'accounts.0.limits.EUR',
      'min is above max',
    ],
    [
      'an unknown currency',
      { accounts: [{ connection: 'main', costs: { ZZZ: { fixed: '1' } } }] },
      'accounts.0.costs.ZZZ',
      'does not know the currency',
    ],
    [
      'no share at all',
      { strategy: 'volume', accounts: [{ connection: 'main', share: 0 }] },
      'accounts',
      'a share above 0',
    ],
    ['no account', { accounts: [] }, 'accounts', ''],
  ])('%s is refused with its place, and nothing is stored', async (_what, wanted, path, words) => {
    const before = await routes();
    const { status, body } = await put(wanted);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`"path":"routes.card_stripe.${path}"`);
    expect(JSON.stringify(body)).toContain(words);
    expect(await routes()).toEqual(before);
  });

  test('an unknown method and one that takes no deposits are refused', async () => {
    const route = { strategy: 'priority', accounts: [{ connection: 'main' }] };
    const asked = { version: 0, staff: 'maria', routes: { card_strip: route, card_withdrawal: route } };
    const text = JSON.stringify((await connected.ask('PUT', '/routes', asked)).body);
    expect(text).toContain('Did you mean card_stripe?');
    expect(text).toContain('card_withdrawal takes no deposits');
  });

  test('a second connection of one currency can be enabled only with a route in force that names both', async () => {
    expect(await enable('backup')).toMatchObject({ status: 409, body: { error: { code: 'state-conflict' } } });
    expect((await put({ shadow: true })).status).toBe(200);
    expect((await enable('backup')).status).toBe(409);
    const set = await put({});
    expect(set).toMatchObject({ status: 200, body: { version: 2, changed: { staff: 'maria' } } });
    expect((set.body as RoutesResponse).warnings).toEqual(['routes.card_stripe: the connection backup is disabled.']);
    expect((await enable('backup')).status).toBe(200);
    // Without the route the two would compete.
    const gone = await connected.ask('PUT', '/routes', { version: 2, staff: 'maria', routes: {} });
    expect(gone).toMatchObject({ status: 409, body: { error: { code: 'state-conflict' } } });
    expect((await put({ shadow: true })).status).toBe(409);
  });

  test('an older version is refused, a preview stores nothing, and the history has every version', async () => {
    expect(await put({}, 1)).toMatchObject({ status: 409, body: { error: { params: { version: '2' } } } });
    const preview = await connected.ask('POST', '/routes/preview', {
      routes: {
        card_stripe: {
          strategy: 'volume',
          accounts: [
            { connection: 'main', priority: 1 },
            { connection: 'backup', priority: 2 },
          ],
        },
      },
    });
    expect(preview.body).toMatchObject({
      version: 2,
      differences: [{ path: 'card_stripe.strategy', kind: 'changed', before: 'priority', after: 'volume' }],
    });
    const { changes } = (await connected.ask('GET', '/routes/changes')).body as { changes: { version: number }[] };
    expect(changes.map(({ version }) => version)).toEqual([2, 1]);
    const settings = JSON.stringify((await connected.ask('GET', '/setting-changes')).body);
    expect(settings).toContain('"routes"');
  });
});

describe('[SRV-4] a route decides', () => {
  /** A deposit whose first account certainly failed. */
  let goneOn = '';

  test('which account takes a deposit, with its reasons, and the same when it is replayed', async () => {
    await put({
      accounts: [
        { connection: 'main', limits: { EUR: { min: '30.00' } } },
        { connection: 'backup', costs: { EUR: { percent: '2' } } },
      ],
    });
    const depositId = await pay();
    expect(await connectionOf(depositId)).toBe(idOf('backup'));
    expect(await decisionOf(depositId)).toMatchObject({
      method: 'card_stripe',
      strategy: 'priority',
      amount: '25.00',
      order: [{ connection: 'backup', because: 'strategy', cost: '0.50', phase: 'well' }],
      rejected: [{ connection: 'main', because: 'amount-min' }],
      isReplayedAlike: true,
    });
    const unrouted = await connected.ask('GET', `/routes/decisions/${randomUUID()}`);
    expect(unrouted).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } });
    const { database } = connected.running;
    expect(
      await database.query({ text: 'update routing_decision set shadow = true' }).catch(constraintOf),
    ).toBeDefined();
  });

  test('by the newest route on every node, within seconds', async () => {
    await put({ accounts: [{ connection: 'backup' }, { connection: 'main' }] });
    expect(await connectionOf(await pay())).toBe(idOf('backup'));
    await put({ accounts: [{ connection: 'main' }, { connection: 'backup' }] });
    expect(await connectionOf(await pay())).toBe(idOf('main'));
    await vi.waitFor(async () => expect(await connectionOf(await pay(other))).toBe(idOf('main')), soon);
  });

  test('and an account that fails is left on every node', async () => {
    failing.add('main');
    for (let tries = 0; tries < FAILURES_TO_DEMOTE; tries += 1) {
      const depositId = await pay();
      expect((await decisionOf(depositId)).order[0]).toMatchObject({ connection: 'main' });
      expect(await connectionOf(depositId)).toBe(idOf('backup'));
      goneOn = depositId;
    }
    expect((await decisionOf(await pay())).order.map(({ connection, because }) => [connection, because])).toEqual([
      ['backup', 'strategy'],
      ['main', 'demoted'],
    ]);
    await vi.waitFor(
      async () => expect((await decisionOf(await pay(other))).order[0]).toMatchObject({ connection: 'backup' }),
      soon,
    );
    const { accounts } = (await connected.ask('GET', '/routes/health')).body as { accounts: object[] };
    expect(accounts).toMatchObject([
      { connection: 'main', phase: 'demoted', demotedUntil: expect.any(String) },
      { connection: 'backup', phase: 'well' },
    ]);
    expect(connected.running.log.join('\n')).toContain('an account of a route failed and was demoted');
  });

  test('[SRV-3] and the detail of the transaction has each attempt and the decision, in the API and on the command line', async () => {
    const detail = v.parse(transactionDetailSchema, (await connected.ask('GET', `/transactions/${goneOn}`)).body);
    const [failed, taken] = detail.attempts;
    expect(failed).toEqual({
      attemptId: goneOn,
      depositId: goneOn,
      provider: 'stripe',
      connection: 'main',
      connectionId: idOf('main'),
      began: detail.created,
      ended: expect.any(String),
      outcome: 'failed',
      code: expect.any(String),
    });
    expect(taken).toEqual({
      attemptId: expect.not.stringMatching(goneOn),
      depositId: goneOn,
      provider: 'stripe',
      connection: 'backup',
      connectionId: idOf('backup'),
      reference: detail.reference,
      began: expect.any(String),
    });
    expect(detail.routing).toEqual(await decisionOf(goneOn));
    const told = detail.timeline.filter(({ kind }) => kind === 'route' || kind === 'attempt').map(({ text }) => text);
    expect(told).toHaveLength(4);
    for (const words of [
      'main (stripe): strategy, backup (stripe): strategy',
      `begun at main (stripe) as ${goneOn}`,
      `at main (stripe) as ${goneOn}`,
      `begun at backup (stripe) as ${taken?.attemptId}, reference ${detail.reference}`,
    ]) {
      expect(told, words).toContainEqual(expect.stringContaining(words));
    }
    const show = (options: string) =>
      runCommand(`show ${goneOn} --operator demo${options}`, {
        environment: { ...shared, DATABASE_URL: 'postgres://none/none' },
        open: keptOpen(connected.running.database),
      });
    const printed = await show('');
    for (const text of told) expect(printed.out).toContain(text);
    expect(JSON.parse((await show(' --json')).out)).toEqual(detail);
  });

  test('and a deposit without a route is its own only attempt', async () => {
    const person = await Person.with(connected.running, intents.redirect);
    const depositId = randomUUID();
    await person.create(depositId);
    const detail = v.parse(transactionDetailSchema, (await connected.ask('GET', `/transactions/${depositId}`)).body);
    expect(detail.routing).toBeUndefined();
    expect(detail.attempts).toEqual([
      { attemptId: depositId, depositId, provider: 'sandbox', reference: detail.reference, began: detail.created },
    ]);
  });
});
