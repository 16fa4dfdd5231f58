/** Receivers that hang do not delay other operators' webhooks, and another node sends the webhooks of a node that stops (SRV-5). */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { createDueWorker, type DueWorker, STOP_GRACE_MS } from '../jobs/due-worker.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import {
  type ClaimedDelivery,
  claimWebhooks,
  MOST_PLACES_PER_OPERATOR,
  PLACES_PER_OPERATOR,
} from './claim-webhooks.ts';
import { deliveryPage } from './delivery-records.ts';
import { ANSWER_TIMEOUT_MS } from './post-once.ts';
import { deliverWebhooks } from './webhook-deliveries.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let opened: TestDatabase;
let database: Database;
let receiver: Server;
let origin: string;
/** The paths of the requests that came, in order. */
let asked: string[] = [];
/** The requests to `/hang…`, which wait for their answers. */
let owed: ServerResponse[] = [];
interface Node {
  readonly worker: DueWorker;
  readonly clock: TestClock;
}
const nodes: Node[] = [];

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  receiver = createServer((request, response) => {
    const path = request.url ?? '';
    request.resume().on('end', () => {
      asked.push(path);
      if (path.startsWith('/hang')) owed.push(response);
      else response.writeHead(path === '/refuse' ? 400 : path === '/break' ? 500 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const { worker, clock } of nodes.splice(0)) {
    const stopped = worker.stop();
    await clock.advanceAsync(STOP_GRACE_MS * 2);
    await stopped;
  }
  receiver.closeAllConnections();
  await database.query({ text: 'truncate webhook_attempt, webhook_queue, webhook_delivery, webhook_circuit' });
  await database.query({ text: 'delete from operator' });
  asked = [];
  owed = [];
});

afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await opened.drop();
});

/** Creates an operator with this many waiting webhooks. The webhooks of an operator created earlier are older. */
async function operator(name: string, path: string, waiting: number): Promise<void> {
  await database.query({
    text: `insert into operator (id, partner_key, name, webhook_url, webhook_secrets) values ($1, $1, $1, $2, $3)`,
    values: [name, `${origin}${path}`, [secret]],
  });
  await more(name, waiting);
}

const more = (name: string, waiting: number) =>
  database.query({
    text: `with delivery as (insert into webhook_delivery (operator_id, type, body)
        select $1, 'deposit.processed', '{}' from generate_series(1, $2::int) returning operator_id, id)
      insert into webhook_queue (operator_id, delivery_id) select operator_id, id from delivery`,
    values: [name, waiting],
  });

function start(): Node {
  const clock = createTestClock();
  const work = deliverWebhooks({
    database,
    clock,
    allowInsecure: true,
    seal: createSeal('one'),
    logger: silentLogger,
    random: () => 0.5,
  });
  const worker = createDueWorker(work, { clock, logger: silentLogger });
  worker.start();
  const node = { worker, clock };
  nodes.push(node);
  return node;
}

/** Wakes the node's worker until the condition holds. The node's clock stands still. */
async function until({ clock, worker }: Node, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      worker.wake();
      await clock.advanceAsync(0);
      return isSo();
    })
    .toBe(true);
}

const timesAsked = (path: string): number => asked.filter((one) => one === path).length;
const circuitOf = async (name: string) => {
  const [row] = await database.query<{ failures: number; pauseS: number }>({
    text: `select failures, extract(epoch from paused_until - now())::float8 as "pauseS" from webhook_circuit
      where operator_id = $1`,
    values: [name],
  });
  return row;
};
/** The attempts of an operator whose outcome is recorded. */
const attemptsOf = async (name: string): Promise<number> => {
  const rows = await database.query({ text: 'select 1 from webhook_attempt where operator_id = $1', values: [name] });
  return rows.length;
};
const pauseIsOver = () => database.query({ text: 'update webhook_circuit set paused_until = now()' });

test('[SRV-5] an operator whose address hangs, with 200 waiting webhooks, does not delay the others', async () => {
  await operator('slow', '/hang', 200);
  await operator('quick', '/quick', 1);
  const node = start();
  await until(node, () => timesAsked('/quick') === 1 && timesAsked('/hang') === PLACES_PER_OPERATOR);
  // Queued later, while the slow operator uses all its places.
  await more('quick', 30);
  node.worker.wake();
  await until(node, () => timesAsked('/quick') === 31);
  expect(timesAsked('/hang')).toBe(PLACES_PER_OPERATOR);
});

test('[SRV-5] forty operators whose shared receiver hangs use its eight places and no more', async () => {
  for (let n = 0; n < 40; n += 1) await operator(`slow-${n}`, '/hang', 2);
  await database.query({ text: `update operator set webhook_url = replace(webhook_url, '127.0.0.1', 'localhost')` });
  await operator('quick', '/quick', 5);
  const node = start();
  await until(node, () => timesAsked('/quick') === 5 && owed.length === 8);
  await node.clock.advanceAsync(5_000);
  expect(owed).toHaveLength(8);
});

test('[SRV-5] a hundred operators whose receivers hang leave places for an operator without a running request', async () => {
  await database.query({
    text: `insert into operator (id, partner_key, name, webhook_url, webhook_secrets)
      select 'slow-' || n, 'slow-' || n, 'slow', 'https://slow-' || n || '.example/hooks', $1
      from generate_series(1, 100) n`,
    values: [[secret]],
  });
  for (let n = 1; n <= 30; n += 1) await more(`slow-${n}`, 10);
  const inHand: ClaimedDelivery[] = [];
  const claim = async () => inHand.push(...(await claimWebhooks(database, inHand)));
  for (let look = 0; look < 5; look += 1) await claim();
  expect(inHand).toHaveLength(96);
  for (let n = 31; n <= 50; n += 1) await more(`slow-${n}`, 10);
  await claim();
  expect(inHand).toHaveLength(116);
  expect(new Set(inHand.map(({ operatorId }) => operatorId)).size).toBe(50);
});

test('[SRV-5] after four failures in a row an address is paused, longer each time, and tried by one webhook', async () => {
  await operator('slow', '/hang', 20);
  const node = start();
  await until(node, () => owed.length === PLACES_PER_OPERATOR);
  await node.clock.advanceAsync(ANSWER_TIMEOUT_MS);
  await until(node, async () => (await circuitOf('slow'))?.failures === 4);
  expect((await circuitOf('slow'))?.pauseS).toBeGreaterThan(8);
  const { deliveries } = await deliveryPage(database, 'slow', { limit: 20 });
  const nextAt = deliveries.map(({ nextAttempt = '' }) => Date.parse(nextAttempt));
  expect(
    Math.max(...nextAt) - Math.min(...nextAt),
    'no next attempt is listed before the end of the pause',
  ).toBeLessThan(1_000);
  await node.clock.advanceAsync(5_000);
  expect(owed).toHaveLength(PLACES_PER_OPERATOR);

  await pauseIsOver();
  await until(node, () => owed.length === PLACES_PER_OPERATOR + 1);
  await node.clock.advanceAsync(5_000);
  expect(owed).toHaveLength(PLACES_PER_OPERATOR + 1);
  await node.clock.advanceAsync(ANSWER_TIMEOUT_MS);
  await until(node, async () => (await circuitOf('slow'))?.failures === 5);
  expect((await circuitOf('slow'))?.pauseS).toBeGreaterThan(18);

  await pauseIsOver();
  await until(node, () => owed.length === PLACES_PER_OPERATOR + 2);
  // The receiver is fixed. The rest is sent at once, except deliveries whose own delay has not ended.
  owed.at(-1)?.writeHead(204).end();
  await until(node, async () => (await circuitOf('slow')) === undefined);
  await until(node, () => owed.length === 2 * PLACES_PER_OPERATOR + 2);
});

test('[SRV-5] while failures are recorded one by one, no more attempts start than are left until the pause', async () => {
  await operator('slow', '/hang', 20);
  const inHand = await claimWebhooks(database, []);
  expect(inHand).toHaveLength(PLACES_PER_OPERATOR);
  for (let failures = 1; failures < 4; failures += 1) {
    await database.query({
      text: `insert into webhook_circuit (operator_id, address, failures) values ('slow', $1, $2)
        on conflict (operator_id) do update set failures = excluded.failures`,
      values: [`${origin}/hang`, failures],
    });
    expect(await claimWebhooks(database, inHand.slice(failures))).toEqual([]);
  }
});

test('[SRV-5] each good answer earns an operator a free place, and a failure takes them all away', async () => {
  await operator('busy', '/hang', 150);
  const node = start();
  for (let answers = 0; answers < MOST_PLACES_PER_OPERATOR + 4; answers += 1) {
    const places = Math.max(PLACES_PER_OPERATOR, Math.min(MOST_PLACES_PER_OPERATOR, answers));
    await until(node, () => owed.length === answers + places);
    owed[answers]?.writeHead(204).end();
  }
  const sent = owed.length;
  await node.clock.advanceAsync(ANSWER_TIMEOUT_MS);
  await until(node, async () => ((await circuitOf('busy'))?.failures ?? 0) >= 4);
  await node.clock.advanceAsync(5_000);
  expect(owed.length - sent).toBeLessThanOrEqual(1);
});

test('[SRV-5] earned places do not use up the places of other operators', async () => {
  for (const name of ['busy-1', 'busy-2', 'busy-3']) await operator(name, '/hang', 100);
  const answers = new Map([1, 2, 3].map((n) => [`busy-${n}`, 1_000]));
  const inHand: ClaimedDelivery[] = [];
  const claim = async () => inHand.push(...(await claimWebhooks(database, inHand, answers)));
  for (let look = 0; look < 5; look += 1) await claim();
  expect(inHand, 'eight own places and 28 earned ones of the receiver').toHaveLength(36);
  const apart = () =>
    database.query({ text: `update operator set webhook_url = 'https://' || id || '.example/hooks'` });
  await apart();
  for (let look = 0; look < 5; look += 1) await claim();
  expect(inHand, 'half of all places').toHaveLength(64);
  for (let n = 1; n <= 8; n += 1) await operator(`other-${n}`, '/', 4);
  await apart();
  await claim();
  expect(inHand.filter(({ operatorId }) => operatorId.startsWith('other'))).toHaveLength(32);
});

test('[SRV-5] earned places do not use up those of another operator with the same receiver', async () => {
  await operator('busy', '/hang', 100);
  const answers = new Map([['busy', 1_000]]);
  const inHand = await claimWebhooks(database, [], answers);
  expect(inHand).toHaveLength(MOST_PLACES_PER_OPERATOR);
  await operator('other', '/', 9);
  expect(await claimWebhooks(database, inHand, answers)).toHaveLength(PLACES_PER_OPERATOR);
});

test('[SRV-5] a code that confirms a withdrawal is sent before the backlog of its operator', async () => {
  await operator('busy', '/hang', 50);
  await database.query({
    text: `with delivery as (insert into webhook_delivery (operator_id, type, body, useless_at)
        values ('busy', 'withdrawal.confirmation_requested', '{}', now() + interval '5 minutes') returning *)
      insert into webhook_queue (operator_id, delivery_id, sealed, useless_at)
      select operator_id, id, $1, useless_at from delivery`,
    values: [Buffer.from('code')],
  });
  const claimed = await claimWebhooks(database, []);
  expect(claimed).toHaveLength(PLACES_PER_OPERATOR);
  expect(claimed.filter(({ sealed }) => sealed !== null)).toHaveLength(1);
});

test('[SRV-5] a failure of days ago, whose webhook was dropped, does not switch the address off at the next one', async () => {
  await operator('rare', '/break', 1);
  await database.query({
    text: `insert into webhook_circuit (operator_id, address, failures, failing_since, paused_until)
      values ('rare', $1, 5, now() - interval '9 days', now() - interval '2 days')`,
    values: [`${origin}/break`],
  });
  const node = start();
  await until(node, async () => (await circuitOf('rare'))?.failures === 1);
  const [row] = await database.query({
    text: `select status, webhook_disabled_at as off from webhook_delivery join operator on operator.id = operator_id`,
  });
  expect(row).toEqual({ status: 'pending', off: null });
});

test('[SRV-5] an answer of 400 pauses nothing, and a new address starts without failures', async () => {
  await operator('wrong', '/refuse', 6);
  await operator('broken', '/break', 30);
  const node = start();
  await until(node, () => timesAsked('/refuse') === 6);
  await until(node, async () => ((await circuitOf('broken'))?.failures ?? 0) >= 4);
  expect(await circuitOf('wrong')).toBeUndefined();
  // Requests that were in progress at the fourth failure also fail. None starts after them. One whose failure is not recorded yet would
  // be sent to the new address at once.
  await node.clock.advanceAsync(5_000);
  await until(node, async () => (await attemptsOf('broken')) === timesAsked('/break'));
  const tried = timesAsked('/break');
  expect(tried).toBeLessThan(2 * PLACES_PER_OPERATOR);
  await database.query({ text: `update operator set webhook_url = $1 where id = 'broken'`, values: [`${origin}/new`] });
  node.worker.wake();
  // The tried ones wait for their next attempt, which may also come while a slow machine gets here.
  await until(node, () => timesAsked('/new') >= 30 - tried);
});

test('[SRV-5] an address without one good answer for three days is switched off', async () => {
  await operator('gone', '/break', 1);
  await database.query({
    text: `insert into webhook_circuit (operator_id, address, failures, failing_since)
      values ('gone', $1, 50, now() - interval '4 days')`,
    values: [`${origin}/break`],
  });
  const node = start();
  const isOff = async () => {
    const [row] = await database.query<{ off: Date | null }>({
      text: `select webhook_disabled_at as off from operator where id = 'gone'`,
    });
    return row?.off instanceof Date;
  };
  await until(node, isOff);
});

test('[SRV-9] a node that stops aborts hanging requests, and another node repeats them at once as the same attempt', async () => {
  await operator('slow', '/hang', 1);
  const node = start();
  await until(node, () => owed.length === 1);
  const stopped = node.worker.stop();
  await node.clock.advanceAsync(STOP_GRACE_MS);
  await stopped;
  const [row] = await database.query<{ attempts: number; isDue: boolean; tries: number }>({
    text: `select attempts, next_at <= now() as "isDue", (select count(*)::int from webhook_attempt) as tries
      from webhook_queue`,
  });
  expect(row).toEqual({ attempts: 0, isDue: true, tries: 0 });
  const other = start();
  await until(other, () => owed.length === 2);
});
