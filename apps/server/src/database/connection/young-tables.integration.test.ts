import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { withOperator } from '../testing/with-operator.fixture.ts';
import { keepYoungTables } from './young-tables.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

async function known(): Promise<number> {
  const [row] = await database.query<{ rows: number }>({
    text: `select reltuples as rows from pg_class where relname = 'deposit_key' and relnamespace = current_schema()::regnamespace`,
  });
  return row?.rows ?? Number.NaN;
}

async function insertKeys(count: number): Promise<void> {
  // The transaction tells the counts of its rows at once, and not only after a second.
  await database.transaction(async (transaction) => {
    await transaction.query({
      text: `insert into deposit_key (operator_id, user_id, client_key, deposit_id)
        select 'op', 'young', id, id from (select gen_random_uuid() as id from generate_series(1, $1::int)) new`,
      values: [count],
    });
    await transaction.query({ text: 'select pg_stat_force_next_flush()' });
  });
}

test('[SRV-7] a young table gets statistics two seconds after its first rows, and again after it has doubled', async () => {
  const clock = createTestClock();
  const errors: object[] = [];
  const looks = keepYoungTables(database, { clock, logger: { error: (fields) => errors.push(fields) } });
  const look = async (): Promise<void> => {
    clock.advance(2_000);
    await looks.settled();
  };
  await look();
  const before = Math.max(await known(), 0);
  await insertKeys(200);
  await look();
  const first = await known();
  expect(first - before).toBeGreaterThanOrEqual(200);
  await insertKeys(10);
  await look();
  expect(await known()).toBe(first);
  await insertKeys(2 * first + 100);
  await look();
  expect(await known()).toBeGreaterThan(2 * first);
  await looks.stop();
  expect(errors).toEqual([]);
});
