import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@opencashier/core/time/clock';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { createDueWorker } from '../jobs/due-worker.ts';
import { queueWebhook, type SealedWebhookData } from '../outbox/queue-webhook.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import { ann, commandOf, createBench, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { deliveryPage, replayDelivery } from './delivery-records.ts';
import { signWebhook } from './send-webhook.ts';
import { deliverWebhooks, RETRY_DELAYS_S } from './webhook-deliveries.ts';

const secretOf = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const secret = secretOf('a');
const seal = createSeal('one');

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string | undefined;
}

let opened: TestDatabase;
let database: Database;
let receiver: Server;
let url: string;
let received: Received[];
/** Statuses of the next answers. The receiver answers 200 when the list is empty. */
let answers: number[];

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body, path: request.url });
      response.writeHead(answers.shift() ?? 200, { location: '/elsewhere' });
      response.end('thank you');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await opened.drop();
});
beforeEach(async () => {
  received = [];
  answers = [];
  await seedOperator(database, { url, secrets: [secret] });
});
afterEach(() =>
  database.query({
    text: `with gone as (delete from webhook_queue) update webhook_delivery set status = 'delivered' where status = 'pending'`,
  }),
);

const worker = (more: { allowInsecure?: boolean } = {}) =>
  createDueWorker(
    deliverWebhooks({
      database,
      clock: systemClock,
      allowInsecure: true,
      seal,
      logger: silentLogger,
      random: () => 0.5,
      ...more,
    }),
    { clock: systemClock, logger: silentLogger },
  );

async function queue(hidden?: SealedWebhookData): Promise<string> {
  await database.transaction((transaction) =>
    queueWebhook(transaction, {
      operatorId: 'op',
      type: 'deposit.processed',
      at: '2026-01-01T00:00:00.000Z',
      data: {
        depositId: '00000000-0000-4000-8000-000000000001',
        userId: 'ann',
        amount: '500.00',
        currency: 'INR',
        paymentMethod: 'card',
        status: 'processed',
      },
      ...(hidden && { secret: hidden }),
    }),
  );
  const [delivery] = (await deliveryPage(database, 'op', { limit: 1 })).deliveries;
  if (delivery === undefined) throw new Error('nothing was queued');
  return delivery.id;
}

async function deliveryOf(id: string) {
  const { deliveries } = await deliveryPage(database, 'op', { limit: 200 });
  const found = deliveries.find((delivery) => delivery.id === id);
  if (found === undefined) throw new Error('not listed');
  return found;
}

/** Makes the next attempt due, and ends the pause of its address. */
const makeDue = async () => {
  await database.query({ text: 'update webhook_queue set next_at = now()' });
  await database.query({ text: 'update webhook_circuit set paused_until = now()' });
};

const verify = ({ body, headers }: Received, key = secret): unknown =>
  new Webhook(key).verify(body, headers as Record<string, string>);

test('[SRV-5] the operator gets a webhook of a credited deposit, signed by the Standard Webhooks scheme', async () => {
  const { payments } = createBench(database);
  const command = commandOf();
  const { depositId } = command.request;
  await payments.createDeposit(command);
  await payments.apply(reportOf(depositId));
  await payments.runDueWork();
  const processed = received.filter(({ body }) => body.includes('deposit.processed'));
  expect(processed).toHaveLength(1);
  const [hook] = processed;
  if (hook === undefined) throw new Error('no webhook came');
  expect(verify(hook)).toEqual({
    type: 'deposit.processed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      depositId,
      userId: ann.userId,
      amount: '500.00',
      currency: 'INR',
      paymentMethod: 'card',
      status: 'processed',
    },
  });
  expect(() => verify(hook, secretOf('b'))).toThrow(WebhookVerificationError);
  expect(() => verify({ ...hook, body: hook.body.replace('500', '900') })).toThrow(WebhookVerificationError);
});

test('[SRV-5] declined, expired and late deposits have one webhook each, too', async () => {
  const { payments, provider } = createBench(database);
  provider.onCreate = async () => ({ kind: 'declined', code: 'no' });
  await payments.createDeposit(commandOf()).catch(() => undefined);
  provider.onCreate = async ({ depositId }) => ({ kind: 'created', providerRef: `r-${depositId}` });
  const late = commandOf();
  await payments.createDeposit(late);
  await payments.cancelDeposit(ann, late.request.depositId);
  await payments.apply(reportOf(late.request.depositId, { providerRef: `r-${late.request.depositId}` }));
  await payments.runDueWork();
  const types = received.map(({ body }) => JSON.parse(body).type).sort();
  expect(types).toEqual(['deposit.cancelled', 'deposit.declined', 'deposit.under_review']);
});

test('[SRV-5] a failed attempt is repeated under the same id, with growing delays, until the receiver accepts it', async () => {
  answers = [500, 302, 503];
  const id = await queue();
  for (let tries = 1; tries <= 4; tries += 1) {
    await makeDue();
    await worker().runDue();
  }
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id, id]);
  expect(received.every(({ path }) => path === '/hooks')).toBe(true);
  expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attempts: 4, lastAttempt: { status: 200 } });
  const tries = await database.query<{ status: number }>({
    text: 'select status from webhook_attempt where delivery_id = $1 order by n',
    values: [id],
  });
  expect(tries.map(({ status }) => status)).toEqual([500, 302, 503, 200]);
  await makeDue();
  await worker().runDue();
  expect(received).toHaveLength(4);
});

test('[SRV-5] only webhooks that wait are in the queue; a sent one is in the month of its id', async () => {
  answers = [500, 200];
  const id = await queue();
  const queued = () =>
    database.query({ text: 'select attempts from webhook_queue where delivery_id = $1', values: [id] });
  await worker().runDue();
  expect(await queued()).toEqual([{ attempts: 1 }]);
  await makeDue();
  await worker().runDue();
  expect(await queued()).toEqual([]);
  const [stored] = await database.query<{ part: string; month: boolean; tries: string[] }>({
    text: `select delivery.tableoid::regclass::text as part, time_of_id(id) = date_trunc('milliseconds', created_at) as month,
        array(select tableoid::regclass::text from webhook_attempt where delivery_id = delivery.id) as tries
      from webhook_delivery delivery where id = $1`,
    values: [id],
  });
  const suffix = stored?.part.replace('webhook_delivery', '');
  expect(suffix).toMatch(/^_20\d\d(?:_\d\d)?$/);
  expect(stored).toMatchObject({ month: true, tries: [`webhook_attempt${suffix}`, `webhook_attempt${suffix}`] });
});

test('[SRV-5] the delays grow over days', async () => {
  answers = [500];
  const id = await queue();
  await worker().runDue();
  const [row] = await database.query<{ wait: number }>({
    text: `select extract(epoch from queued.next_at - attempt.at)::float8 as wait from webhook_queue queued
      join webhook_attempt attempt using (operator_id, delivery_id) where delivery_id = $1`,
    values: [id],
  });
  expect(row?.wait).toBeGreaterThan(3);
  expect(row?.wait).toBeLessThanOrEqual(5);
  expect([...RETRY_DELAYS_S].sort((a, b) => a - b)).toEqual(RETRY_DELAYS_S);
  expect(RETRY_DELAYS_S.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(3 * 86_400);
});

test('[SRV-5] an address that fails every time is switched off; its deliveries stay listed and can be replayed', async () => {
  answers = Array.from({ length: RETRY_DELAYS_S.length + 1 }, () => 500);
  const id = await queue();
  for (let tries = 0; tries <= RETRY_DELAYS_S.length; tries += 1) {
    await makeDue();
    await worker().runDue();
  }
  expect(await deliveryOf(id)).toMatchObject({ status: 'exhausted', attempts: RETRY_DELAYS_S.length + 1 });
  const next = await queue();
  received = [];
  await worker().runDue();
  expect(received).toEqual([]);
  const waiting = await deliveryOf(next);
  expect(waiting).toMatchObject({ status: 'pending', attempts: 0 });
  expect(waiting).not.toHaveProperty('nextAttempt');
  expect(await deliveryPage(database, 'op', { limit: 1 })).toHaveProperty('switchedOffSince');
  expect(await replayDelivery(database, 'another', id)).toBe('unknown');
  expect(await replayDelivery(database, 'op', id)).toMatchObject({ id, status: 'pending' });
  await worker().runDue();
  expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual([id, next].sort());
  expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', attempts: RETRY_DELAYS_S.length + 2 });
  expect(await deliveryPage(database, 'op', { limit: 1 })).not.toHaveProperty('switchedOffSince');
});

test('[SRV-5] an address that answers 410 is switched off at once', async () => {
  answers = [410];
  const id = await queue();
  await worker().runDue();
  expect((await deliveryOf(id)).status).toBe('exhausted');
});

test('[SRV-5] when a node dies while it sends a delivery, the delivery is sent again under the same id', async () => {
  const id = await queue();
  // The node that dies: it claimed the row and sent the webhook, but never recorded the outcome.
  await deliverWebhooks({ database, clock: systemClock, allowInsecure: true, seal, logger: silentLogger }).claim([]);
  await worker().runDue();
  expect(received).toEqual([]);
  await makeDue();
  await worker().runDue();
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
});

test('[SRV-5] two nodes share the work: each delivery is sent once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, queue));
  await Promise.all([worker().runDue(), worker().runDue()]);
  expect(received).toHaveLength(ids.length);
});

test('[SRV-5] plain http is refused unless development allows it', async () => {
  const id = await queue();
  await worker({ allowInsecure: false }).runDue();
  expect(received).toEqual([]);
  expect(await deliveryOf(id)).toMatchObject({ status: 'pending', lastAttempt: { error: 'not https' } });
});

test('[SRV-5] during a rotation both secrets sign, so that a receiver may know either', () => {
  const at = Date.now();
  const headers = signWebhook({ id: 'msg_1', body: '{}', secrets: [secret, secretOf('b')] }, at);
  for (const key of [secret, secretOf('b')]) expect(new Webhook(key).verify('{}', headers)).toEqual({});
  expect(() => new Webhook(secretOf('c')).verify('{}', headers)).toThrow(WebhookVerificationError);
});

describe('[SRV-5] a secret in a webhook', () => {
  const soon = (ms: number): Date => new Date(Date.now() + ms);
  const rowOf = async (id: string) => {
    const [row] = await database.query<{ body: string; sealed: Buffer | null; status: string }>({
      text: `select body, sealed, status from webhook_delivery delivery
        left join webhook_queue queued on queued.delivery_id = delivery.id where id = $1`,
      values: [id],
    });
    return row;
  };

  test('is sealed until the receiver accepts it, is signed with the rest, and is deleted afterwards', async () => {
    answers = [500];
    const id = await queue({ sealed: seal.close({ code: '903184' }), uselessAt: soon(600_000) });
    await worker().runDue();
    expect(JSON.stringify(await rowOf(id))).not.toContain('903184');
    await makeDue();
    await worker().runDue();
    expect(received.map((hook) => verify(hook))).toMatchObject([
      { data: { userId: 'ann', code: '903184' } },
      { data: { userId: 'ann', code: '903184' } },
    ]);
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', sealed: null });
    // The secret is deleted, so the webhook cannot be sent again.
    expect(await replayDelivery(database, 'op', id)).toBe('not-kept');
  });

  test('is not sent when it has expired or was sealed with another secret', async () => {
    const late = await queue({ sealed: seal.close({ code: '1' }), uselessAt: soon(-1000) });
    const strange = await queue({ sealed: createSeal('two').close({ code: '2' }), uselessAt: soon(600_000) });
    await worker().runDue();
    await worker().runDue();
    expect(received).toEqual([]);
    for (const id of [late, strange]) expect(await rowOf(id)).toMatchObject({ status: 'dropped', sealed: null });
  });
});
