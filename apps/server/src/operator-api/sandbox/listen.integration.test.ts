/** Webhooks for a listener of the sandbox, through the operator API of a whole server (SRV-5). */
import { randomUUID } from 'node:crypto';
import { listenForWebhooks } from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecretKey } from '../../operators/secret-key.ts';
import { queueWebhook } from '../../outbox/queue-webhook.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../transports/testing/running-app.ts';
import { listenersPerOperator } from '../../webhooks/webhook-listeners.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const otherKey = `sk_other_${'o'.repeat(40)}`;

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await running.database.query({
    text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other')`,
  });
  await running.database.query({
    text: `insert into operator_api_key (operator_id, key_hash) values ('other', $1)`,
    values: [hashOfSecretKey(otherKey)],
  });
  await running.database.query({
    text: `update operator set webhook_secrets = array[$1] where id = 'demo'`,
    values: [secret],
  });
});
afterAll(() => running?.stop());

const ask = (body: object, key = appOperatorKey, signal?: AbortSignal) =>
  fetch(`${running.url}/operator/v1/sandbox/webhooks/listen`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

const heard = async (body: object, key = appOperatorKey) =>
  v.parse(listenForWebhooks.response, await (await ask(body, key)).json());

const queue = (operatorId: string) =>
  running.database.transaction((transaction) =>
    queueWebhook(transaction, {
      operatorId,
      type: 'deposit.processed',
      at: '2026-01-01T00:00:00.000Z',
      data: {
        depositId: randomUUID(),
        userId: 'u-1042',
        amount: '25.00',
        currency: 'USD',
        paymentMethod: 'card',
        status: 'processed',
      },
    }),
  );

test('[SRV-5] a wait ends with the signed bytes of a webhook, and no other operator hears it', async () => {
  expect(await queue('demo')).toBe(false);
  const { cursor } = await heard({ waitSeconds: 0 });
  const stranger = await heard({ waitSeconds: 0 }, otherKey);
  const waiting = heard({ cursor, waitSeconds: 25 });
  expect(await queue('demo')).toBe(true);
  const { webhooks } = await waiting;
  const [webhook] = webhooks;
  const [stored] = await running.database.query<{ id: string; body: string; status: string; queued: string | null }>({
    text: `select id, body, status, queued.delivery_id as queued from webhook_delivery
      left join webhook_queue queued on queued.delivery_id = id where webhook_delivery.operator_id = 'demo'`,
  });
  expect(webhook).toMatchObject({ id: stored?.id, body: stored?.body, isComplete: true });
  expect(stored).toMatchObject({ status: 'undeliverable', queued: null });
  new Webhook(secret).verify(webhook?.body ?? '', {
    'webhook-id': webhook?.id ?? '',
    'webhook-timestamp': String(webhook?.timestamp),
    'webhook-signature': webhook?.signature ?? '',
  });
  expect((await heard({ cursor: stranger.cursor, waitSeconds: 0 }, otherKey)).webhooks).toEqual([]);
});

test('[SRV-5] a webhook whose transaction began earlier and ended later is not missed, and none comes twice', async () => {
  const waitFor = async (body: object) => v.parse(listenForWebhooks.response, await (await ask(body)).json());
  const start = await waitFor({ waitSeconds: 0 });
  const add = (age: string) =>
    running.database.query<{ id: string }>({
      text: `insert into webhook_delivery (operator_id, id, type, body)
        values ('demo', time_id(now() - $1::interval), 'deposit.processed', '{}') returning id`,
      values: [age],
    });
  // The first answer begins now, so the rows of this test need a place before their times.
  const early = await waitFor({ sinceSeconds: 20, waitSeconds: 0 });
  const [quick] = await add('1 second');
  const one = await waitFor({ cursor: early.cursor, waitSeconds: 0 });
  const [late] = await add('9 seconds');
  const two = await waitFor({ cursor: one.cursor, waitSeconds: 0 });
  expect([one, two].map(({ webhooks }) => webhooks.map(({ id }) => id))).toEqual([[quick?.id], [late?.id]]);
  expect((await waitFor({ cursor: two.cursor, waitSeconds: 0 })).webhooks).toEqual([]);
  expect(start.webhooks).toEqual([]);
});

test('[SRV-5] an operator has a few places, which a disconnect gives back; a wrong key and a wrong cursor are refused', async () => {
  const gone = new AbortController();
  const waiting = Array.from({ length: listenersPerOperator }, () =>
    ask({ waitSeconds: 25 }, otherKey, gone.signal).catch(() => 'gone'),
  );
  await expect.poll(async () => (await ask({ waitSeconds: 0 }, otherKey)).status).toBe(429);
  // Another operator has its own places.
  expect((await ask({ waitSeconds: 0 })).status).toBe(200);
  gone.abort();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'gone'));
  await expect.poll(async () => (await ask({ waitSeconds: 0 }, otherKey)).status).toBe(200);
  for (const cursor of ['x', 'A'.repeat(22), Buffer.alloc(16 + 5).toString('base64url')]) {
    expect((await ask({ cursor, waitSeconds: 0 })).status, cursor).toBe(400);
  }
  expect((await ask({ waitSeconds: 26 })).status).toBe(400);
  expect((await ask({ waitSeconds: 0 }, 'sk_wrong')).status).toBe(401);
});

test('[SRV-9] a server that stops ends the waits at once', async () => {
  const other = await startApp();
  const answer = fetch(`${other.url}/operator/v1/sandbox/webhooks/listen`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    body: '{"waitSeconds":25}',
  });
  const isWaiting = () => other.database.query({ text: 'select from webhook_listener' });
  await expect.poll(async () => (await isWaiting()).length).toBe(1);
  await other.stop();
  expect((await answer).status).toBe(200);
});
