/** Listeners of the sandbox with more webhooks than a cursor can name, and with more listeners than a node has places for (SRV-5). */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import { createWebhookListeners, listenersPerNode, listenersPerOperator } from './webhook-listeners.ts';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());

const seal = createSeal('s'.repeat(32));
const listeners = () => createWebhookListeners({ database, clock: createTestClock(Date.now()), seal });

async function operators(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, nth) => `listening-${nth}`);
  await database.query({
    text: `insert into operator (id, partner_key, name) select id, id, id from unnest($1::text[]) as made(id)
      on conflict (id) do nothing`,
    values: [ids],
  });
  return ids;
}

test('[SRV-5] 1,200 webhooks of one millisecond come once each, although a cursor names the last 500', async () => {
  const [operatorId = ''] = await operators(1);
  const { listen, stop } = listeners();
  const heardNow = (cursor?: string) =>
    listen(
      operatorId,
      { ...(cursor !== undefined && { cursor }), sinceSeconds: 10, waitSeconds: 0 },
      new AbortController().signal,
    );
  let { cursor } = await heardNow();
  const stored = await database.query<{ id: string }>({
    // One time for all of them.
    text: `insert into webhook_delivery (operator_id, type, body) select $1, 'deposit.processed', '{}'
      from generate_series(1, 1200) returning id`,
    values: [operatorId],
  });
  const heard: string[] = [];
  for (let reads = 0; reads < 100; reads += 1) {
    const answer = await heardNow(cursor);
    if (answer.webhooks.length === 0) break;
    heard.push(...answer.webhooks.map(({ id }) => id));
    cursor = answer.cursor;
  }
  expect(heard).toEqual(stored.map(({ id }) => id).sort());
  // The next one is heard, too.
  await database.query({
    text: `insert into webhook_delivery (operator_id, type, body) values ($1, 'deposit.processed', '{}')`,
    values: [operatorId],
  });
  expect((await heardNow(cursor)).webhooks).toHaveLength(1);
  stop();
});

test('[SRV-5] a node without a free place says so, and does not blame the operator', async () => {
  const ids = await operators(listenersPerNode / listenersPerOperator + 1);
  const { listen, stop } = listeners();
  const wait = (operatorId: string) =>
    listen(operatorId, { sinceSeconds: 0, waitSeconds: 25 }, new AbortController().signal);
  const waiting = ids.slice(0, -1).flatMap((id) => Array.from({ length: listenersPerOperator }, () => wait(id)));
  await expect(wait(ids[0] ?? '')).rejects.toThrow(`At most ${listenersPerOperator} listeners of an operator`);
  const refused = wait(ids.at(-1) ?? '');
  await expect(refused).rejects.toThrow(`At most ${listenersPerNode} listeners of all operators`);
  await expect(refused).rejects.toMatchObject({ code: 'rate-limited', details: { retryAfterSeconds: 5 } });
  stop();
  await Promise.all(waiting);
});
