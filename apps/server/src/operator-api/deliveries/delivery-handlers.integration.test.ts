/** The list and the replay of webhook deliveries, through the operator API of a whole server (SRV-5). */

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookType } from '@opencashier/contract/operator';
import { deliveryPageSchema, deliverySchema } from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecretKey } from '../../operators/secret-key.ts';
import { queueWebhook, type SealedWebhookData } from '../../outbox/queue-webhook.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../transports/testing/running-app.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const otherKey = `sk_other_${'o'.repeat(40)}`;

let running: RunningApp;
let receiver: Server;
let received: { id: string; type: string }[] = [];
let answer = 200;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      new Webhook(secret).verify(body, request.headers as Record<string, string>);
      received.push({ id: String(request.headers['webhook-id']), type: JSON.parse(body).type });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  running = await startApp({
    SEED_DEMO_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
    SEED_DEMO_WEBHOOK_SECRET: secret,
  });
  await running.database.query({
    text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other')`,
  });
  await running.database.query({
    text: `insert into operator_api_key (operator_id, key_hash) values ('other', $1)`,
    values: [hashOfSecretKey(otherKey)],
  });
});
afterAll(async () => {
  await running?.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

/** The sender looks for due webhooks once a second, and this machine may be busy. */
const soon = { timeout: 20_000 };

const ask = (path: string, { method = 'GET', key = appOperatorKey } = {}) =>
  fetch(`${running.url}/operator/v1/webhook-deliveries${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });
const pageOf = async (filter: Record<string, string> = {}) =>
  v.parse(deliveryPageSchema, await (await ask(`?${new URLSearchParams(filter)}`)).json());
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

/** Queued in one transaction, so all have the same time. Only a cursor with the id distinguishes them. */
const queue = (types: readonly WebhookType[], sealed?: SealedWebhookData) =>
  running.database.transaction(async (transaction) => {
    for (const type of types) {
      await queueWebhook(transaction, {
        operatorId: 'demo',
        type,
        at: '2026-01-01T00:00:00.000Z',
        data: {
          depositId: randomUUID(),
          userId: 'canary-user',
          amount: '4242.42',
          currency: 'USD',
          paymentMethod: 'card',
          status: 'processed',
        },
        ...(sealed && { secret: sealed }),
      });
    }
  });

test('[SRV-5] deliveries are listed page by page, by type, status and time, and without their body', async () => {
  await queue(['deposit.processed', 'deposit.declined', 'deposit.processed', 'deposit.expired', 'deposit.processed']);
  await expect.poll(async () => (await pageOf({ status: 'delivered' })).deliveries.length, soon).toBe(5);
  expect((await pageOf({ status: 'pending' })).deliveries).toEqual([]);
  const all = await pageOf();
  expect(all.deliveries[0]).toMatchObject({ attempts: 1, lastAttempt: { status: 200 }, isReplayable: true });
  expect(JSON.stringify(all)).not.toMatch(/canary-user|4242\.42|whsec/);

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf({ limit: '2', ...(cursor !== undefined && { cursor }) });
    seen.push(...page.deliveries.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(all.deliveries.map(({ id }) => id));
  expect(new Set(received.map(({ id }) => id))).toEqual(new Set(seen));

  expect((await pageOf({ type: 'deposit.processed' })).deliveries).toHaveLength(3);
  const at = all.deliveries[0]?.created ?? '';
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect((await pageOf({ from: later })).deliveries).toEqual([]);
  expect((await pageOf({ from: at, to: later })).deliveries).toHaveLength(5);
  for (const query of ['status=lost', 'type=*', 'cursor=x', 'limit=0', 'from=yesterday', 'x=1']) {
    expect(await codeOf(await ask(`?${query}`)), query).toBe('invalid-request');
  }
});

test('[SRV-5] a failed delivery is listed with its next attempt, and a replay sends it again under its own id', async () => {
  answer = 500;
  received = [];
  await queue(['deposit.refunded']);
  await expect
    .poll(async () => (await pageOf({ type: 'deposit.refunded' })).deliveries[0]?.attempts, soon)
    .toBeGreaterThan(0);
  const [failed] = (await pageOf({ type: 'deposit.refunded' })).deliveries;
  expect(failed).toMatchObject({ status: 'pending', lastAttempt: { status: 500 }, nextAttempt: expect.any(String) });
  answer = 200;
  const path = `/${failed?.id}/replay`;
  expect(await codeOf(await ask(path, { method: 'POST', key: otherKey }))).toBe('not-found');
  const replayed = v.parse(deliverySchema, await (await ask(path, { method: 'POST' })).json());
  expect(replayed).toMatchObject({ id: failed?.id, status: 'pending' });
  expect(replayed.attempts).toBeGreaterThanOrEqual(failed?.attempts ?? 1);
  await expect
    .poll(async () => (await pageOf({ type: 'deposit.refunded' })).deliveries[0], soon)
    .toMatchObject({ status: 'delivered', lastAttempt: { status: 200 } });
  const tries = received.length;
  expect(tries).toBeGreaterThanOrEqual(2);
  // A delivered webhook can be sent again, too.
  expect((await ask(path, { method: 'POST' })).status).toBe(200);
  await expect.poll(() => received.length, soon).toBe(tries + 1);
  expect(new Set(received.map(({ id }) => id))).toEqual(new Set([failed?.id]));
});

test('[SRV-5] no operator sees the deliveries of another, and a webhook that contained a code is not sent again', async () => {
  expect(await (await ask('', { key: otherKey })).json()).toEqual({ deliveries: [] });
  expect((await ask('', { key: 'sk_wrong' })).status).toBe(401);
  await queue(['withdrawal.confirmation_requested'], { sealed: Buffer.alloc(40), uselessAt: new Date(0) });
  const filter = { type: 'withdrawal.confirmation_requested' };
  await expect.poll(async () => (await pageOf(filter)).deliveries[0]?.status, soon).toBe('dropped');
  const [dropped] = (await pageOf(filter)).deliveries;
  expect(dropped).toMatchObject({ isReplayable: false, attempts: 0 });
  expect(await codeOf(await ask(`/${dropped?.id}/replay`, { method: 'POST' }))).toBe('state-conflict');
  expect(await codeOf(await ask(`/${randomUUID()}/replay`, { method: 'POST' }))).toBe('not-found');
  expect(await codeOf(await ask('/x/replay', { method: 'POST' }))).toBe('invalid-request');
});
