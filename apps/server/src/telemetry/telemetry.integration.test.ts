/** Telemetry in the database, and its deletion. */
import { calls } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDueWorker } from '../jobs/due-worker.ts';
import { forgetOldRows } from '../jobs/retention.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { createTelemetry, rowsPerMinute } from './telemetry.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running?.stop());
beforeEach(() => running.database.query({ text: 'delete from telemetry_event' }));

const stored = () =>
  running.database.query<{ key: string }>({
    text: `select operator_id, source, key, number_value, code_value, day = (now() at time zone 'UTC')::date as today
      from telemetry_event order by key`,
  });
const visit = (more: object = {}) => ({
  partner: 'demo',
  version: 'v1.0.0',
  path: '/deposit',
  vitals: [{ name: 'LCP', value: 1200.5 }],
  errors: [{ name: 'TypeError', at: 'app-c0abcde7.js:1:2', count: 3 }],
  ...more,
});
const report = (
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  on = running,
) =>
  fetch(`${on.url}/cashier/rum`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe.each(['http', 'socket'] as const)('events over %s', (transport) => {
  const send = (list: object[], token?: string) =>
    running.clients[transport].call(calls.events, { events: list }, token === undefined ? {} : { token });

  test('[NET-8] are kept with their operator and without their user; what nobody knows is dropped and counted', async () => {
    const list = [
      { key: 'page.load', timestamp: 1, value: 812 },
      { key: 'ann@example.com'.replace('@', '.'), timestamp: 1, value: 1 },
      { key: 'deposit.create', timestamp: 1, value: 'fail' },
    ];
    expect(await send(list, await running.tokenOf(`measured-${transport}`))).toEqual({ status: 200, data: {} });
    expect(await send([{ key: 'page.load', timestamp: 1, value: 5 }])).toMatchObject({ status: 200 });
    const row = { source: 'events', today: true, number_value: null, code_value: null };
    const rows = await stored();
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...row, operator_id: 'demo', key: 'deposit.create', code_value: 'fail' },
        { ...row, operator_id: 'demo', key: 'page.load', number_value: 812 },
        { ...row, operator_id: null, key: 'page.load', number_value: 5 },
      ]),
    );
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toMatch(/cashier_widget_events_total\{key="not-in-the-vocabulary"\} \d/);
    expect(metrics).not.toContain('ann.example');
  });
});

describe('real-user monitoring', () => {
  test('[NET-8] keeps the vitals and faults of a visit', async () => {
    for (const type of ['application/json', 'text/plain;charset=UTF-8']) {
      await running.database.query({ text: 'delete from telemetry_event' });
      const response = await report(visit(), { 'content-type': type });
      expect([response.status, await response.text()]).toEqual([204, '']);
      const row = { operator_id: 'demo', source: 'rum', today: true };
      expect(await stored()).toEqual([
        { ...row, key: 'page.fault', number_value: 3, code_value: 'TypeError c0abcde7.js:1:2' },
        { ...row, key: 'vitals.LCP', number_value: 1200.5, code_value: null },
      ]);
    }
  });

  test('refuses what is no visit, what is too large, and what another page sends', async () => {
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      visit({ vitals: [{ name: 'XXX', value: 1 }] }),
      visit({ path: '/?a=b' }),
    ]) {
      expect((await report(body)).status).toBe(400);
    }
    expect((await report('x'.repeat(40_000))).status).toBe(413);
    const foreign = { 'content-type': 'text/plain', origin: 'https://elsewhere.example' };
    expect((await report(visit(), foreign)).status).toBe(403);
    expect((await report(visit(), { ...foreign, origin: running.url })).status).toBe(204);
    expect((await report(visit({ partner: 'nobody' }))).status).toBe(204);
    expect((await stored()).map((row) => row)).toHaveLength(4);
  });

  test('is limited to 30 reports a minute and address', async () => {
    const limited = await startApp({ RATE_LIMITS: '1' });
    const json = { 'content-type': 'application/json' };
    for (let count = 0; count < 30; count += 1) expect((await report(visit(), json, limited)).status).toBe(204);
    const refused = await report(visit(), json, limited);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeTruthy();
    await limited.stop();
  });
});

test('one node keeps only so much a minute, and counts the rest', async () => {
  const clock = createTestClock();
  const counted: string[] = [];
  let rows = 0;
  const telemetry = createTelemetry({
    clock,
    metrics: { event: (key) => void counted.push(key) },
    database: {
      async query({ values }) {
        rows += ((values?.[2] ?? []) as unknown[]).length;
        return [];
      },
    },
  });
  const hundred = Array.from({ length: 100 }, () => ({ key: 'page.load', timestamp: 1, value: 1 }));
  for (let sent = 0; sent <= rowsPerMinute; sent += 100) await telemetry.take(undefined, hundred);
  expect(rows).toBe(rowsPerMinute);
  expect(counted.filter((key) => key === 'over-the-limit')).toHaveLength(100);
  clock.advance(60_000);
  await telemetry.take(undefined, hundred);
  expect(rows).toBe(rowsPerMinute + 100);
});

test('what is older than 30 days is forgotten, and nothing younger', async () => {
  const { database } = running;
  const [event, session, captcha] = ['telemetry_event', 'payment_session', 'captcha_use'].map(
    (table) => async () =>
      (await database.query<{ n: number }>({ text: `select count(*)::int as n from ${table}` }))[0]?.n,
  );
  const step = database.kind === 'embedded' ? 'month' : 'day';
  await database.query({
    text: `select extend_partitions('telemetry_event', now() - interval '70 days', now(), $1)`,
    values: [step],
  });
  const partitions = async () =>
    (await database.query({ text: `select 1 from time_partition where parent = 'telemetry_event' and since < now()` }))
      .length;
  expect(await partitions()).toBeGreaterThanOrEqual(step === 'day' ? 71 : 3);
  await database.query({
    text: `insert into telemetry_event (day, source, key)
      select current_date - days, 'events', 'page.load' from unnest(array[0, 30, 31, 40]) as days`,
  });
  await database.query({
    text: `insert into payment_session (id, operator_id, user_id, amount, currency, created_at)
      select gen_random_uuid(), 'demo', 'old', 1, 'USD', now() - make_interval(days => days) from unnest(array[29, 31]) as days`,
  });
  await database.query({
    text: `insert into captcha_use (lot_hash, operator_id, user_id, client_key, used_at)
      select sha256(days::text::bytea), 'demo', 'old', gen_random_uuid(), now() - make_interval(days => days)
      from unnest(array[29, 31]) as days`,
  });
  await createDueWorker(forgetOldRows(database), {
    clock: createTestClock(),
    logger: { error: () => undefined },
  }).runDue();
  expect([await event?.(), await session?.(), await captcha?.()]).toEqual([2, 1, 1]);
  // Today and 30 days before it, or the three months at most of these days.
  expect(await partitions()).toBeLessThanOrEqual(step === 'day' ? 31 : 3);
});
