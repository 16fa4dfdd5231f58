/** `npx @opencashier/server listen` against a whole server: webhooks on an engineer's machine, beside the deliveries (SRV-5). */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebhookType } from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOfSecretKey } from '../../apps/server/src/operators/secret-key.ts';
import { queueWebhook, type SealedWebhookData } from '../../apps/server/src/outbox/queue-webhook.ts';
import { createSeal } from '../../apps/server/src/outbox/sealed-data.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../apps/server/src/transports/testing/running-app.ts';
import { listenSecretOf } from '../../packages/server/src/cli/forward-webhook.ts';
import { runListen } from '../../packages/server/src/cli/listen.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const otherKey = `sk_other_${'o'.repeat(40)}`;
const tokenSecret = 't'.repeat(40);

interface Taken {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

let running: RunningApp;
let receiver: Server;
let address: string;
let taken: Taken[] = [];
/** What the receiver does with a webhook; answers its status. */
let onWebhook: (nth: number) => number | Promise<number> = () => 204;
let listeners: { stop(): Promise<number>; readonly lines: string[]; readonly errors: string[] }[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', async () => {
      taken.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(await onWebhook(taken.length)).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  running = await startApp({ TOKEN_SECRET: tokenSecret });
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
beforeEach(async () => {
  taken = [];
  onWebhook = () => 204;
  listeners = [];
  await running.database.query({ text: 'delete from webhook_listener' });
  await running.database.query({
    text: `update operator set webhook_url = null, webhook_secrets = array[$1] where id = 'demo'`,
    values: [secret],
  });
});
afterEach(async () => {
  for (const listener of listeners) await listener.stop();
});

const queue = (type: WebhookType, operatorId = 'demo', sealed?: SealedWebhookData) =>
  running.database.transaction(async (transaction) => {
    const depositId = randomUUID();
    const isQueued = await queueWebhook(transaction, {
      operatorId,
      type,
      at: '2026-01-01T00:00:00.000Z',
      data: {
        depositId,
        userId: 'u-1042',
        amount: '25.00',
        currency: 'USD',
        paymentMethod: 'card',
        status: 'processed',
      },
      ...(sealed && { secret: sealed }),
    });
    return isQueued ? depositId : undefined;
  });

/** Starts the command, and returns when it listens. */
async function listen(args: readonly string[] = [], { key = appOperatorKey, send = fetch } = {}) {
  const stopping = new AbortController();
  const lines: string[] = [];
  const errors: string[] = [];
  const ended = runListen(['--forward-to', address, ...args], {
    fetch: send,
    now: Date.now,
    print: (line) => void lines.push(line),
    printError: (line) => void errors.push(line),
    // The pauses of the command are its own affair here.
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    environment: { CASHIER_URL: running.url, OPERATOR_KEY: key },
    stop: stopping.signal,
  });
  const listener = {
    lines,
    errors,
    stop: () => {
      stopping.abort();
      return ended;
    },
    ended,
  };
  listeners.push(listener);
  await Promise.race([expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0), ended]);
  return listener;
}

const typesOf = (list: readonly Taken[]) => list.map(({ body }) => JSON.parse(body).type);

test('[SRV-5] a listener brings a webhook to a local address: same bytes, both secrets, a line with the answer', async () => {
  const { lines, stop } = await listen();
  expect(lines.join('\n')).toContain(listenSecretOf(appOperatorKey));
  onWebhook = () => 418;
  const depositId = await queue('deposit.processed');
  await expect.poll(() => lines.length).toBe(4);
  const [only] = taken;
  if (only === undefined) throw new Error('nothing arrived');
  for (const one of [secret, listenSecretOf(appOperatorKey)]) new Webhook(one).verify(only.body, only.headers);
  expect(() =>
    new Webhook(`whsec_${Buffer.alloc(32, 6).toString('base64')}`).verify(only.body, only.headers),
  ).toThrow();
  const [stored] = await running.database.query<{ id: string; body: string }>({
    text: 'select id, body from webhook_delivery where deposit_id = $1',
    values: [depositId],
  });
  expect(only).toMatchObject({ body: stored?.body, headers: { 'webhook-id': stored?.id } });
  expect(lines[3]).toMatch(new RegExp(`^2\\S+Z  deposit\\.processed  ${depositId}  NOT TAKEN: 418  \\d+ ms$`));
  expect(await stop()).toBe(0);
});

test('[SRV-5] without an address and without a listener no webhook exists; with a listener it never enters the queue', async () => {
  // The last call of an earlier test's listener may still be on its way.
  const queueAlone = async () => {
    await running.database.query({ text: 'delete from webhook_listener' });
    return queue('deposit.processed');
  };
  await expect.poll(queueAlone).toBeUndefined();
  await listen();
  const depositId = await queue('deposit.declined');
  await expect.poll(() => typesOf(taken)).toEqual(['deposit.declined']);
  const rows = await running.database.query({
    text: `select delivery.status, queued.delivery_id as queued from webhook_delivery delivery
      left join webhook_queue queued on queued.delivery_id = delivery.id where deposit_id = $1`,
    values: [depositId],
  });
  expect(rows).toEqual([{ status: 'undeliverable', queued: null }]);
});

test('[SRV-5] the webhook address gets its webhooks as always, whatever the local receiver answers', async () => {
  const atAddress: string[] = [];
  const own = createServer((request, response) => {
    atAddress.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  await running.database.query({
    text: `update operator set webhook_url = $1 where id = 'demo'`,
    values: [`http://127.0.0.1:${(own.address() as AddressInfo).port}/hooks`],
  });
  await listen();
  onWebhook = () => 500;
  const depositId = await queue('deposit.processed');
  await expect.poll(() => [taken.length, atAddress.length], { timeout: 20_000 }).toEqual([1, 1]);
  expect(taken[0]?.headers['webhook-id']).toBe(atAddress[0]);
  const status = () =>
    running.database.query({ text: 'select status from webhook_delivery where deposit_id = $1', values: [depositId] });
  await expect.poll(status).toEqual([{ status: 'delivered' }]);
  await new Promise((resolve) => own.close(resolve));
});

test('[SRV-5] two listeners get every webhook, those of another operator none, and --events chooses', async () => {
  const first = await listen();
  const second = await listen(['--events', 'deposit.expired,withdrawal.*']);
  const stranger = await listen([], { key: otherKey });
  await queue('deposit.processed');
  await queue('deposit.expired');
  await queue('deposit.refunded', 'other');
  await expect.poll(() => [first, second, stranger].map(({ lines }) => lines.length - 3)).toEqual([2, 1, 1]);
  expect(second.lines[3]).toContain('deposit.expired');
  expect(stranger.lines[3]).toContain('deposit.refunded');
  expect(first.lines.join('\n')).not.toContain('deposit.refunded');
});

test('[SRV-5] after a lost connection a listener asks again, and continues where it stopped', async () => {
  let isDown = false;
  const send: typeof fetch = (...request) =>
    isDown && String(request[0]).startsWith(running.url) ? Promise.reject(new TypeError('down')) : fetch(...request);
  const { lines, errors } = await listen([], { send });
  await queue('deposit.processed');
  await expect.poll(() => lines.length).toBe(4);
  isDown = true;
  // The request that waits ends with this webhook, and the next one fails.
  await queue('deposit.declined');
  await expect.poll(() => errors.length).toBeGreaterThan(1);
  expect(errors[0]).toMatch(/could not be reached.* Trying again in 1 s\.$/);
  await queue('deposit.expired');
  isDown = false;
  await expect.poll(() => typesOf(taken)).toEqual(['deposit.processed', 'deposit.declined', 'deposit.expired']);
  expect(lines).toContain('The cashier answers again.');
});

test('[SRV-5] a slow receiver delays its own webhooks and loses none', async () => {
  let release = (): void => undefined;
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  onWebhook = async (nth) => {
    if (nth === 1) await slow;
    return 200;
  };
  const { lines } = await listen();
  await queue('deposit.processed');
  await expect.poll(() => taken.length).toBe(1);
  await queue('deposit.declined');
  await queue('deposit.expired');
  expect(lines).toHaveLength(3);
  release();
  await expect.poll(() => typesOf(taken)).toEqual(['deposit.processed', 'deposit.declined', 'deposit.expired']);
  await expect.poll(() => lines.length).toBe(6);
});

test('[SRV-5] --since shows what was, and --resume-file continues at the next start', async () => {
  const file = join(tmpdir(), `listen-${randomUUID()}`);
  const first = await listen(['--resume-file', file]);
  await expect.poll(() => existsSync(file)).toBe(true);
  await first.stop();
  const depositId = await queue('deposit.processed');
  const second = await listen(['--resume-file', file]);
  await expect.poll(() => second.lines.some((line) => line.includes(`${depositId}`))).toBe(true);
  const place = readFileSync(file, 'utf8');
  await expect.poll(() => readFileSync(file, 'utf8')).not.toBe('');
  await second.stop();
  expect(place).toMatch(/^[\w-]+\n$/);
  const third = await listen(['--since', '10m']);
  await expect.poll(() => third.lines.some((line) => line.includes(`${depositId}`))).toBe(true);
  rmSync(file);
});

test('[SRV-5] a confirmation code is sent on while it is kept, and never without it', async () => {
  const seal = createSeal(tokenSecret);
  const sealed = { sealed: seal.close({ code: '123456' }), uselessAt: new Date(Date.now() + 600_000) };
  const { lines } = await listen();
  await queue('withdrawal.confirmation_requested', 'demo', sealed);
  await expect.poll(() => taken.map(({ body }) => JSON.parse(body).data.code)).toEqual(['123456']);
  await running.database.query({
    text: `insert into webhook_delivery (operator_id, type, body, useless_at)
      values ('demo', 'withdrawal.confirmation_requested', '{"data":{}}', now() + interval '1 hour')`,
  });
  await expect.poll(() => lines.at(-1)).toContain('not sent on');
  expect(taken).toHaveLength(1);
});

test('[SRV-1] a wrong key ends the command', async () => {
  const { errors, ended } = await listen([], { key: 'sk_wrong' });
  expect(await ended).toBe(1);
  expect(errors).toEqual([`${running.url} does not know this OPERATOR_KEY.`]);
});
