/** The clock of a sandbox through whole servers: expiries, deadlines and statements come without waiting (SRV-3). */
import { randomUUID } from 'node:crypto';
import { sandboxClockSchema } from '@opencashier/contract/operator';
import { systemClock } from '@opencashier/core/time/clock';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../app.ts';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../observability/logger.ts';
import { hashOfSecretKey } from '../operators/secret-key.ts';
import { appOperatorKey, type RunningApp, startApp, startOtherNode } from '../transports/testing/running-app.ts';

const HOUR_S = 3_600;
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

let here: RunningApp;
let other: App;
beforeAll(async () => {
  here = await startApp({ TOKEN_SECRET: 't'.repeat(40) });
  other = await startOtherNode(here, { TOKEN_SECRET: 't'.repeat(40) }, systemClock);
});
afterAll(async () => {
  await other?.stop();
  await here?.stop();
});

const soon = { timeout: 30_000 };
const ask = (path: string, body?: object, url = here.url) =>
  fetch(`${url}/operator/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const clockAt = async (url = here.url) =>
  v.parse(sandboxClockSchema, await (await ask('/sandbox/clock', undefined, url)).json());
const advance = (seconds: number) => ask('/sandbox/clock/advance', { seconds });
const command = (line: string, environment = {}) =>
  runCommand(line, {
    environment: { SANDBOX: '1', DATABASE_URL: 'postgres://cashier@db.invalid/cashier', ...environment },
    open: keptOpen(here.database),
  });

async function createDeposit(amount: string): Promise<{ readonly depositId: string; readonly status: number }> {
  const depositId = randomUUID();
  const answer = await fetch(`${here.url}/api/BANKING/deposit-create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await here.tokenOf('u-1')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ depositId, amount, currency: 'USD', paymentType: 'card', selectedCountry: 'IN' }),
  });
  return { depositId, status: answer.status };
}

/** Asks both nodes again and again whether they are ready. @returns what ends the asking and gives all answers */
function readinessDuring(): () => Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  let isOver = false;
  const asked = Promise.all(
    [here.url, other.url].map(async (url) => {
      while (!isOver) seen.add(((await (await fetch(`${url}/ready`)).json()) as { status: string }).status);
    }),
  );
  return async () => {
    isOver = true;
    await asked;
    return seen;
  };
}

const stateOf = async (depositId: string) => {
  const [row] = await here.database.query<{ state: string }>({
    text: 'select state from deposit where id = $1',
    values: [depositId],
  });
  return row?.state;
};

test('[SRV-7] before the first move the planner replaces the time of the schema by that of the platform', async () => {
  for (const text of [
    'select now()',
    'insert into outbox (topic, operator_id, user_id, name, body) values ($1, $1, $1, $1, $2)',
  ]) {
    const plan = await here.database.query<Record<'QUERY PLAN', string>>({
      text: `explain (verbose, costs off) ${text}`,
      ...(text.includes('$1') && { values: ['push', '{}'] }),
    });
    expect(plan.map((line) => line['QUERY PLAN']).join()).toContain('pg_catalog.now()');
  }
});

test('[SRV-3] a reset is free while nothing has happened since the move', async () => {
  expect((await clockAt()).aheadSeconds).toBe(0);
  expect(v.parse(sandboxClockSchema, await (await advance(60)).json()).aheadSeconds).toBe(60);
  const back = await ask('/sandbox/clock/reset', {});
  expect(v.parse(sandboxClockSchema, await back.json()).aheadSeconds).toBe(0);
});

test('[SRV-3] two hours ahead, an unpaid deposit has expired, on the clock of both nodes and of the database', async () => {
  const { depositId, status } = await createDeposit('25.00');
  expect(status).toBe(200);
  const token = await here.tokenOf('u-1');
  await here.database.query({
    text: `update operator set webhook_url = 'http://127.0.0.1:9/hooks', webhook_secrets = array[$1] where id = 'demo'`,
    values: [secret],
  });
  const answer = await advance(2 * HOUR_S);
  expect(answer.status).toBe(200);
  await expect.poll(() => stateOf(depositId), soon).toBe('expired');
  for (const url of [here.url, other.url]) {
    const { now, aheadSeconds } = await clockAt(url);
    expect(aheadSeconds).toBe(2 * HOUR_S);
    expect(Math.abs(Date.parse(now) - Date.now() - 2 * HOUR_S * 1000)).toBeLessThan(20_000);
  }
  const [row] = await here.database.query<{ now: Date; created: Date }>({
    text: `select now(), max(created_at) as created from webhook_delivery where deposit_id = $1`,
    values: [depositId],
  });
  for (const at of [row?.now, row?.created]) expect(Number(at) - Date.now()).toBeGreaterThan(1.9 * HOUR_S * 1000);
  // Tokens of users expire, too.
  const late = await fetch(`${here.url}/api/BANKING/deposit-status?depositId=${depositId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(late.status).toBe(401);
  // Receivers judge a signature by their own time, so it has the machine's.
  const heard = await ask('/sandbox/webhooks/listen', { sinceSeconds: 600, waitSeconds: 20 });
  const { webhooks } = (await heard.json()) as {
    webhooks: { id: string; body: string; timestamp: number; signature: string }[];
  };
  const [webhook] = webhooks;
  if (webhook === undefined) throw new Error('no webhook');
  new Webhook(secret).verify(webhook.body, {
    'webhook-id': webhook.id,
    'webhook-timestamp': String(webhook.timestamp),
    'webhook-signature': webhook.signature,
  });
});

test('[SRV-2] money that moves on the moved clock is booked by the rules of the ledger', async () => {
  const { depositId } = await createDeposit('25.05');
  await expect.poll(() => stateOf(depositId), soon).toBe('credited');
  expect(await command('audit --full')).toMatchObject({ errors: '', exitCode: 0 });
});

test('[SRV-3] after money has moved the clock does not go back, and other months have partitions', async () => {
  const refused = await ask('/sandbox/clock/reset', {});
  expect(refused.status).toBe(409);
  expect(JSON.stringify(await refused.json())).toContain("a ledger's time never goes back");
  const ready = readinessDuring();
  expect(await command('clock advance 200d')).toMatchObject({
    errors: '',
    out: expect.stringMatching(/, 17287200 seconds ahead\n$/),
  });
  const { depositId } = await createDeposit('30.05');
  await expect.poll(() => stateOf(depositId), soon).toBe('credited');
  expect(await ready()).toEqual(new Set(['ready']));
  expect(await command('clock')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/17287200 seconds ahead/) });
});

test('[SRV-3] the clock is refused outside a sandbox, beside real providers, and to one of several operators', async () => {
  for (const [environment, words] of [
    [{ SANDBOX: '0' }, 'set SANDBOX=1'],
    [
      { STRIPE_SECRET_KEY: `sk_test_${'x'.repeat(40)}`, STRIPE_WEBHOOK_SECRET: `whsec_${'x'.repeat(40)}` },
      'neither STRIPE_SECRET_KEY',
    ],
  ] as const) {
    expect((await command('clock advance 1h', environment)).errors).toContain(words);
  }
  for (const wrong of ['-1h', '1', '0s', '400d', '1y']) {
    expect((await command(`clock advance ${wrong}`)).exitCode, wrong).toBe(2);
  }
  expect((await advance(366 * 86_400 + 1)).status).toBe(400);
  await here.database.query({
    text: `insert into operator (id, partner_key, name) values ('second', 'second', 'Second')`,
  });
  await here.database.query({
    text: `insert into operator_api_key (operator_id, key_hash) values ('second', $1)`,
    values: [hashOfSecretKey('sk_second')],
  });
  const shared = await advance(60);
  expect(shared.status).toBe(409);
  expect(JSON.stringify(await shared.json())).toContain('one time serves all');
  const config = readConfig({
    DATA_DIR: '/nonexistent',
    PUBLIC_URL: 'https://pay.example',
    TOKEN_SECRET: 't'.repeat(40),
  });
  await expect(createApp(config, { logger: createLogger('silent'), database: here.database })).rejects.toThrow(
    /The clock of this database was moved \d+ seconds ahead/,
  );
});
