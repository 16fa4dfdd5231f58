/** A replay, another node's attempt, or another address, while an older attempt is still in flight (SRV-5). */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { asAnotherProcess } from '../database/testing/one-connection.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { changeOperatorSettings } from '../operators/operator-settings.ts';
import { seedDemoOperator } from '../operators/seed-demo-operator.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import type { ClaimedDelivery } from './claim-webhooks.ts';
import { replayDelivery } from './delivery-records.ts';
import { deliverWebhooks, RETRY_DELAYS_S } from './webhook-deliveries.ts';

const url = 'http://127.0.0.1:9/hooks';
const newUrl = 'http://127.0.0.1:9/new-hooks';
const running = new AbortController().signal;

let opened: TestDatabase;
let database: Database;
/** The status that the receiver answers next. */
let answer: number;
/** What happens while the receiver is asked. */
let whileAsked: () => Promise<unknown>;
let errors: string[];

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());
beforeEach(async () => {
  answer = 200;
  whileAsked = async () => undefined;
  errors = [];
  await seedOperator(database, { url, secrets: [`whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`] });
});
afterEach(() => database.query({ text: 'truncate webhook_attempt, webhook_queue, webhook_delivery, webhook_circuit' }));

const node = (its = database) =>
  deliverWebhooks({
    database: its,
    clock: systemClock,
    allowInsecure: true,
    seal: createSeal('one'),
    logger: { ...silentLogger, error: (_fields, message) => errors.push(message) },
    random: () => 0.5,
    post: async () => {
      await whileAsked();
      return answer;
    },
  });

async function queue(attempts: number): Promise<string> {
  const [row] = await database.query<{ id: string }>({
    text: `with delivery as (insert into webhook_delivery (operator_id, type, body) values ('op', 'deposit.processed', '{}')
        returning operator_id, id)
      insert into webhook_queue (operator_id, delivery_id, attempts) select operator_id, id, $1 from delivery
      returning delivery_id as id`,
    values: [attempts],
  });
  if (row === undefined) throw new Error('nothing was queued');
  return row.id;
}

async function claimed(): Promise<ClaimedDelivery> {
  const [delivery, ...more] = await node().claim([]);
  if (delivery === undefined || more.length > 0) throw new Error('not one webhook was due');
  return delivery;
}

/** The attempt ends with this answer. */
async function end(delivery: ClaimedDelivery, status: number, its = database): Promise<void> {
  answer = status;
  await node(its).handle(delivery, running);
}

const replaceAddress = (webhookUrl: string | null = newUrl) =>
  changeOperatorSettings(database, 'op', { by: 'eve' }, { webhookUrl });

const state = async () => {
  const [row] = await database.query<object>({
    text: `select delivery.status, queued.attempts, queued.next_at <= now() as "isDue", operator.webhook_disabled_at is not null as "isOff"
      from webhook_delivery delivery join operator on operator.id = delivery.operator_id
        left join webhook_queue queued on queued.delivery_id = delivery.id`,
  });
  return row;
};

const dueAgain = { status: 'pending', attempts: 0, isDue: true, isOff: false };
const last = RETRY_DELAYS_S.length;

test.each([
  ['fails and would be tried again', 3, 500],
  ['fails for the last time', last, 500],
  ['gets 410', 0, 410],
  ['is accepted', 0, 200],
])('[SRV-5] a replay stays due when an older attempt %s', async (_what, before, status) => {
  const id = await queue(before);
  const older = await claimed();
  await replayDelivery(database, 'op', id);
  await end(older, status);
  expect(await state()).toEqual(dueAgain);
  expect(errors).toEqual([]);
  await end(await claimed(), 200);
  expect(await state()).toMatchObject({ status: 'delivered', attempts: null });
});

test('[SRV-5] an attempt from before a replay has no say over the attempt of the replay, though both are the first', async () => {
  const id = await queue(0);
  const older = await claimed();
  await replayDelivery(database, 'op', id);
  const newer = await claimed();
  expect(newer.attempts).toBe(older.attempts);
  await end(older, 410);
  expect(await state()).toEqual({ status: 'pending', attempts: 1, isDue: false, isOff: false });
  await node().giveBack?.([older]);
  expect(await state()).toMatchObject({ attempts: 1, isDue: false });
  await end(newer, 200);
  expect(await state()).toMatchObject({ status: 'delivered' });
});

test('[SRV-5] an attempt that outlived its lease does not end the delivery of another node, nor switch its address off', async () => {
  await queue(last - 1);
  const slow = await claimed();
  await database.query({ text: 'update webhook_queue set next_at = now()' });
  const other = await claimed();
  await end(slow, 410);
  expect(await state()).toMatchObject({ status: 'pending', attempts: last + 1, isDue: false, isOff: false });
  await end(other, 500);
  expect(await state()).toMatchObject({ status: 'exhausted', isOff: true });
  expect(errors).toEqual(['webhook failed for the last time: the address is switched off']);
});

test.each([
  ['gets 410', 0, 410, newUrl],
  ['fails for the last time', last, 500, newUrl],
  ['fails and would be tried again', 3, 500, newUrl],
  ['gets 410 and has no successor', 0, 410, null],
])(
  '[SRV-5] an address that is replaced while it is asked %s: the webhook waits for the new one, which stays on',
  async (_what, before, status, to) => {
    await queue(before);
    whileAsked = () => replaceAddress(to);
    await end(await claimed(), status);
    expect(await state()).toEqual(dueAgain);
    expect(errors).toEqual([]);
    whileAsked = async () => undefined;
    await replaceAddress();
    const again = await claimed();
    expect(again).toMatchObject({ url: newUrl, attempts: 1 });
    await end(again, 200);
    expect(await state()).toMatchObject({ status: 'delivered', attempts: null, isOff: false });
  },
);

test('[SRV-5] a webhook that waits for its last try at an old address has all tries at the new one, at once', async () => {
  await queue(last);
  await database.query({ text: `update webhook_queue set next_at = now() + interval '1 day'` });
  await replaceAddress();
  expect(await state()).toEqual(dueAgain);
  await end(await claimed(), 503);
  expect(await state()).toMatchObject({ status: 'pending', attempts: 1, isOff: false });
});

test('[SRV-5] an address of the settings that changed at a start gets the waiting webhooks at once', async () => {
  const start = (webhookUrl: string) =>
    seedDemoOperator(database, { secretKey: 'sk_demo', origins: [], webhookUrl, webhookSecret: undefined });
  await start(url);
  await database.query({
    text: `with delivery as (insert into webhook_delivery (operator_id, type, body) values ('demo', 'deposit.processed', '{}')
        returning operator_id, id)
      insert into webhook_queue (operator_id, delivery_id, attempts, next_at)
        select operator_id, id, $1, now() + interval '1 day' from delivery`,
    values: [last],
  });
  await start(url);
  expect(await state()).toMatchObject({ attempts: last, isDue: false });
  await start(newUrl);
  expect(await state()).toEqual(dueAgain);
});

test('[SRV-5] the failures of a replaced address, however long, do not end a webhook that was sent there before', async () => {
  await queue(0);
  await end(await claimed(), 500);
  await database.query({ text: `update webhook_circuit set failing_since = now() - interval '10 days'` });
  await database.query({ text: 'update webhook_queue set next_at = now()' });
  whileAsked = () => replaceAddress();
  await end(await claimed(), 500);
  expect(await state()).toEqual(dueAgain);
});

test.each([200, 500])(
  '[SRV-5] the answer %i of a replaced address leaves the failures of the new one as they are',
  async (status) => {
    await queue(0);
    const older = await claimed();
    await replaceAddress();
    await queue(0);
    await end(await claimed(), 503);
    const failures = () => database.query({ text: 'select address, failures, paused_until from webhook_circuit' });
    const known = await failures();
    expect(known).toMatchObject([{ address: newUrl, failures: 1 }]);
    await end(older, status);
    expect(await failures()).toEqual(known);
  },
);

// The embedded database runs one transaction at a time.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  '[SRV-5] an address that comes just as a webhook fails at the old one is not switched off, and gets the webhook',
  async () => {
    for (const [attempts, status] of [
      [0, 410],
      [last, 500],
      [3, 500],
    ] as const) {
      await seedOperator(database, { url, secrets: [] });
      await queue(attempts);
      let isReplaced = false;
      const before = intercepted(database, async ({ name }) => {
        if (isReplaced || !/^webhook-(?:hold|outcome|again)$/.test(name ?? '')) return;
        isReplaced = true;
        await replaceAddress();
      });
      await end(await claimed(), status, before);
      expect(await state()).toEqual(dueAgain);
      expect(errors).toEqual([]);
      await database.query({ text: 'truncate webhook_attempt, webhook_queue, webhook_delivery, webhook_circuit' });
    }
  },
);

// The embedded database runs one transaction at a time.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  '[SRV-5] a replay locks in the order of an outcome: circuit, queue, delivery, operator',
  async () => {
    const id = await queue(0);
    const locks = [
      `select from webhook_circuit for update`,
      `select from webhook_queue for update nowait`,
      `select from webhook_delivery for update nowait`,
      `select from operator for update nowait`,
    ];
    const insert = `insert into webhook_circuit (operator_id, address, failures) values ('op', '${url}', 1)`;
    for (const [held, text] of locks.entries()) {
      await database.query({ text: `${insert} on conflict do nothing` });
      let replay: Promise<unknown> = Promise.resolve();
      await database.transaction(async (transaction) => {
        await transaction.query({ text: text.replace(' nowait', '') });
        replay = asAnotherProcess(() => replayDelivery(database, 'op', id));
        await asAnotherProcess(untilOneWaits);
        // The replay waits for this lock, so it has none of the later ones.
        for (const later of locks.slice(held + 1)) await transaction.query({ text: later });
      });
      expect(await replay).toMatchObject({ id, status: 'pending' });
    }
  },
);

const untilOneWaits = async (): Promise<void> => {
  const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await database.query({ text })).length === 0);
};
