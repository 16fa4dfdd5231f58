/** Real payments through the whole server, and what `/metrics` says about them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@opencashier/core/time/clock';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../app.ts';
import { atProvider, intents, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp, startOtherNode } from '../transports/testing/running-app.ts';
import { GAUGES } from './gauges.ts';
import { expressions, metricsIn, projectFile } from './operations-files.fixture.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running?.stop());

const textOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

/** The value of a series, or undefined. `series` is written as in the answer, such as `name{label="value"}`. */
async function seriesOf(series: string, url = running.url): Promise<number | undefined> {
  const line = (await textOf(url)).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function shows(series: string, value: number, url = running.url): Promise<void> {
  await vi.waitFor(async () => expect(await seriesOf(series, url), series).toBe(value), {
    timeout: 20_000,
    interval: 50,
  });
}

const byCard = 'provider="sandbox",method="card"';

async function deposit(action: string, status: number): Promise<{ person: Person; depositId: string }> {
  const person = await Person.with(running, intents.redirect);
  const depositId = randomUUID();
  await person.create(depositId);
  expect(await atProvider(running, depositId, action, { amount: '10.00' })).toBe(303);
  await person.becomes(depositId, { status });
  return { person, depositId };
}

test('[SRV-9] a paid deposit is counted once, with its amount and the time until its credit', async () => {
  await deposit('pay', 1);
  await shows(`cashier_deposits_created_total{${byCard}}`, 1);
  await shows(`cashier_deposits_credited_total{${byCard}}`, 1);
  await shows('cashier_deposits_credited_amount_total{provider="sandbox",currency="USD"}', 25);
  await shows('cashier_deposit_credit_seconds_count{provider="sandbox"}', 1);
  await shows('cashier_provider_call_seconds_count{provider="sandbox",call="create",outcome="created"}', 1);
});

test('[SRV-9] a declined and an expired deposit are counted by their end, a decline by its reason', async () => {
  await deposit('decline', 2);
  await shows(`cashier_deposits_declined_total{${byCard},reason="bank-refused"}`, 1);
  await shows(`cashier_deposits_ended_total{${byCard},end="declined"}`, 1);
  await deposit('expire', 2);
  await shows(`cashier_deposits_ended_total{${byCard},end="expired"}`, 1);
  expect(await seriesOf(`cashier_deposits_credited_total{${byCard}}`)).toBe(1);
});

test('[SRV-9] a refund and a chargeback are counted by their state', async () => {
  const { depositId } = await deposit('pay', 1);
  const asked = await fetch(`${running.url}/operator/v1/transactions/${depositId}/refund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refundId: randomUUID(), staff: 'eve' }),
  });
  expect(asked.status).toBe(200);
  await shows('cashier_refunds_total{provider="sandbox",state="requested"}', 1);
  await shows('cashier_refunds_total{provider="sandbox",state="succeeded"}', 1);
  const paid = await deposit('pay', 1);
  expect(await atProvider(running, paid.depositId, 'take-back')).toBe(303);
  await shows('cashier_disputes_total{provider="sandbox",state="opened"}', 1);
  await shows(`cashier_deposits_ended_total{${byCard},end="reversed"}`, 1);
  await shows(`cashier_deposits_ended_total{${byCard},end="refunded"}`, 1);
});

test('[SRV-9] [WD-2] a withdrawal is counted by its end', async () => {
  const { person } = await deposit('pay', 1);
  const withdrawalId = randomUUID();
  const request = { withdrawalId, amount: '20.00', currency: 'USD', paymentMethod: 'card_withdrawal' };
  const fields = { cardNumber: '4111111111111111' };
  expect((await person.call('withdrawal-create', { ...request, fields })).status).toBe(200);
  await person.call('withdrawal-confirm', { withdrawalId });
  const labels = 'provider="sandbox",method="card_withdrawal"';
  await shows(`cashier_withdrawals_created_total{${labels}}`, 1);
  await shows(`cashier_withdrawals_ended_total{${labels},end="paid"}`, 1);
  await shows('cashier_withdrawal_paid_seconds_count{provider="sandbox"}', 1);
});

test('[SRV-4] [SRV-9] callbacks are counted by what became of them, events without a payment by their reason', async () => {
  const accepted = 'cashier_callbacks_total{provider="sandbox",result="accepted"}';
  const before = (await seriesOf(accepted)) ?? 0;
  const signature = createWebhookSignatures([`whsec_${Buffer.alloc(32, 7).toString('base64')}`]);
  const body = JSON.stringify({
    id: `evt_${randomBytes(16).toString('hex')}`,
    type: 'payment.paid',
    created: new Date().toISOString(),
    data: {
      payment: 'sbx_of_a_lost_database',
      merchantReference: randomUUID(),
      amount: { value: '10.00', currency: 'USD' },
      paid: { value: '10.00', currency: 'USD' },
    },
  });
  const post = (sign: 'sign' | 'forge') =>
    fetch(`${running.url}/providers/sandbox/callbacks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature[sign]('message-1', body, Date.now()) },
      body,
    });
  expect((await post('forge')).status).toBe(401);
  expect((await post('sign')).status).toBe(202);
  await shows('cashier_callbacks_total{provider="sandbox",result="rejected"}', 1);
  await shows(accepted, before + 1);
  await shows('cashier_unmatched_events_total{provider="sandbox",reason="unknown-deposit"}', 1);
});

test('[SRV-9] any node shows what waits in the database, taken once for all', async () => {
  const { depositId } = await deposit('pay-less', 3);
  await shows('cashier_payments_suspended_total{provider="sandbox",reason="underpaid"}', 1);
  await running.database.query({
    text: `insert into maintenance_run (kind, at, faults) values ('audit', now() - interval '1 hour', 2)`,
  });
  await running.database.query({ text: `update metric_snapshot set leased_until = '-infinity'` });
  const other: App = await startOtherNode(running, {}, systemClock);
  try {
    await shows('cashier_suspense_amount{currency="USD"}', 10, other.url);
    await shows('cashier_suspense_payments{currency="USD"}', 1, other.url);
    await shows('cashier_unmatched_reports{provider="sandbox"}', 1, other.url);
    await shows('cashier_parked_events{provider="sandbox",type="deposit"}', 1, other.url);
    await shows('cashier_maintenance_faults{kind="audit"}', 2, other.url);
    const age = (await seriesOf('cashier_maintenance_age_seconds{kind="audit"}', other.url)) ?? 0;
    expect(age).toBeGreaterThanOrEqual(3_600);
    expect(age).toBeLessThan(3_700);
    // The lease of the other node holds, so a third one reads its numbers and takes none.
    const [first] = await running.database.query<{ at: Date }>({ text: 'select taken_at as at from metric_snapshot' });
    const third = await startOtherNode(running, {}, systemClock);
    await shows('cashier_suspense_amount{currency="USD"}', 10, third.url);
    await third.stop();
    expect(await running.database.query({ text: 'select taken_at as at from metric_snapshot' })).toEqual([first]);

    const text = await textOf(other.url);
    for (const name of Object.keys(GAUGES)) expect(text, name).toContain(`# TYPE ${name} gauge`);
    for (const name of ['cashier_partitions_months_ahead', 'cashier_database_pool_connections']) {
      expect(await seriesOf(name, other.url), name).toBeGreaterThan(0);
    }
    for (const expr of expressions) {
      for (const name of metricsIn(expr).filter((one) => one !== 'up')) {
        const type = new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')}(?:_(?:bucket|count))? `, 'm');
        expect(text, `${name} of ${expr}`).toMatch(type);
      }
    }
    const documented = readFileSync(projectFile('docs/metrics.md'), 'utf8');
    const names = [...text.matchAll(/^# TYPE (cashier_\w+) /gm)].map(([, name]) => name ?? '');
    for (const name of names) expect(documented, name).toContain(`| \`${name}\` |`);
    for (const [, name = ''] of documented.matchAll(/^\| `(cashier_\w+)` \|/gm)) expect(names).toContain(name);
    expect(await seriesOf('cashier_webhooks_ended_total{end="undeliverable"}', other.url)).toBe(0);
    expect(text).not.toContain(depositId);
    expect(`${text}${await textOf(running.url)}`).not.toMatch(/user-|[0-9a-f]{8}-[0-9a-f]{4}-/);
  } finally {
    await other.stop();
  }
});

test('[SRV-9] a node without the build of the widget is not ready', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'cashier-no-widget-'));
  const node = await startOtherNode(running, { WIDGET_DIR: empty }, systemClock);
  try {
    const ready = await fetch(`${node.url}/ready`);
    expect([ready.status, (await ready.json()) as object]).toMatchObject([503, { status: 'widget-missing' }]);
  } finally {
    await node.stop();
    rmSync(empty, { recursive: true, force: true });
  }
});
