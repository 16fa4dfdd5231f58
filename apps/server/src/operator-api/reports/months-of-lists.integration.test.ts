/** The lists of webhooks and of chargebacks open the months that their page needs, however many months the database has (docs/adr/0022). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Business, businessOfThreeYears } from '../../cli/archive-ledger.fixture.ts';
import type { Database } from '../../database/database.ts';
import { openedPartitions } from '../../database/testing/opened-partitions.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { makeOlder } from '../../ledger/older-ledger.fixture.ts';
import { deliveryPage } from '../../webhooks/delivery-records.ts';
import { reversalPage } from './reversals.ts';

type Queryable = Pick<Database, 'query'>;

let made: TestDatabase;
let database: Database;
let business: Business;
/** The deposits with a chargeback, the newest first. */
const disputed: string[] = [];
beforeAll(async () => {
  made = await openTestDatabase();
  ({ database } = made);
  business = await businessOfThreeYears(database);
  await chargedBack();
  await makeOlder(database, 20);
  await chargedBack();
  await chargedBack();
  await database.query({
    text: `insert into webhook_delivery (operator_id, id, type, body, status, created_at)
      select 'op', time_id(at), 'deposit.processed', '{}', 'delivered', at from (values (now() - interval '19 months'), (now() - interval '3 months')) old(at)`,
  });
});
afterAll(() => made.drop());

async function chargedBack(): Promise<void> {
  const depositId = await business.deposit('ann');
  await business.chargeBack(depositId);
  disputed.unshift(depositId);
}

/** The tables of which partitions before this month are opened, with their number. */
async function olderOf(work: (watched: Queryable) => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const opened = await openedPartitions(database, work);
  expect(opened.size).toBeGreaterThan(0);
  const older = await database.query<{ name: string }>({
    text: `select name from time_partition where until <= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`,
  });
  const names = new Set(older.map(({ name }) => name));
  const counts = [...opened].map(([table, parts]) => [table, parts.filter((part) => names.has(part)).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

test('[SRV-5] a page of webhooks that this month fills opens no older month', async () => {
  expect(await olderOf((watched) => deliveryPage(watched, 'op', { limit: 3 }))).toEqual({});
});

test('[SRV-1] a page of chargebacks that this month fills opens no older month', async () => {
  expect(await olderOf((watched) => reversalPage(watched, 'op', { limit: 1 }))).toEqual({});
});

test('[SRV-5] the webhooks of all months come page by page, and a page opens few months', async () => {
  const types: string[] = [];
  const times: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await deliveryPage(database, 'op', { limit: 2, ...(cursor !== undefined && { cursor }) });
    types.push(...page.deliveries.map(({ type }) => type));
    times.push(...page.deliveries.map(({ created }) => Date.parse(created)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const [counted] = await database.query<{ n: number }>({ text: 'select count(*)::int as n from webhook_delivery' });
  expect(times).toHaveLength(counted?.n ?? 0);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(types.slice(-2)).toEqual(['deposit.processed', 'deposit.processed']);
  const processed = { type: 'deposit.processed' } as const;
  // The deposits of this test, and the two old rows.
  expect((await deliveryPage(database, 'op', { ...processed, limit: 100 })).deliveries).toHaveLength(5);
  // The fourth, which tells whether there is a next page, is three months old. An embedded database has partitions of years.
  const older = await olderOf((watched) => deliveryPage(watched, 'op', { ...processed, limit: 3 }));
  expect(older['webhook_delivery'] ?? 0).toBeLessThanOrEqual(3);
});

test('[SRV-1] chargebacks of all months come page by page, without one twice', async () => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await reversalPage(database, 'op', { limit: 1, ...(cursor !== undefined && { cursor }) });
    found.push(...page.reversals.map(({ depositId }) => depositId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(disputed);
});

test('[SRV-1] [SRV-5] a cursor with an id of no time of ours is a page like any other', async () => {
  const any = { id: 'ffffffff-ffff-4fff-8fff-ffffffffffff' };
  const cursorOf = (...cursor: unknown[]): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const webhooks = await deliveryPage(database, 'op', { limit: 100, cursor: cursorOf('webhook deliveries', any) });
  expect(webhooks).toEqual(await deliveryPage(database, 'op', { limit: 100 }));
  const at = '2999-01-01 00:00:00+00';
  const chargebacks = await reversalPage(database, 'op', { limit: 100, cursor: cursorOf('reversals', { ...any, at }) });
  expect(chargebacks).toEqual(await reversalPage(database, 'op', { limit: 100 }));
});

test('[SRV-5] the filter of times reaches the rows of old months', async () => {
  const [month] = await database.query<{ from: Date; to: Date }>({
    text: `select now() - interval '20 months' as from, now() - interval '18 months' as to`,
  });
  const page = await deliveryPage(database, 'op', {
    limit: 10,
    from: month?.from.toISOString() ?? '',
    to: month?.to.toISOString() ?? '',
  });
  expect(page.deliveries).toHaveLength(1);
});
