import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { QUEUES, vacuumQueues } from './vacuum-queues.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

test('[SRV-7] only the embedded database vacuums its queues, one in each round, and their pages are given back', async () => {
  const { database } = opened;
  const work = vacuumQueues(database);
  if (database.kind !== 'embedded') {
    expect(work).toBeUndefined();
    return;
  }
  const size = async (): Promise<bigint> => {
    const [row] = await database.query<{ size: bigint }>({ text: `select pg_relation_size('outbox') as size` });
    return row?.size ?? 0n;
  };
  await database.query({
    text: `insert into outbox (topic, operator_id, user_id, name, body)
      select 'push', 'op', 'ann', 'deposit.status', to_jsonb(repeat('x', 500)) from generate_series(1, 2000)`,
  });
  await database.query({ text: 'delete from outbox' });
  const before = await size();
  expect(before).toBeGreaterThan(100_000n);
  for (const _table of QUEUES) expect(await work?.claim([])).toEqual([]);
  expect(await size()).toBeLessThan(before / 10n);
});
