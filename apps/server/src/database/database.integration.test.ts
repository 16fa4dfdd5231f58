import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { type SchemaFile, schema } from './schema-files.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());

test('[SRV-7] bigint is read exactly, timestamps as dates', async () => {
  const [row] = await database.query<{ big: bigint; at: Date }>({
    text: `select 9007199254740993::bigint as big, timestamptz '2026-01-02T03:04:05.678Z' as at`,
  });
  expect(row?.big).toBe(9007199254740993n);
  expect(row?.at.toISOString()).toBe('2026-01-02T03:04:05.678Z');
});

test('[SRV-7] a thrown error rolls back, and the connection serves the next query', async () => {
  await expect(
    database.transaction(async (transaction) => {
      await transaction.query({ text: `insert into operator (id, partner_key, name) values ('gone', 'gone', 'Gone')` });
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await database.query({ text: `select 1 from operator where id = 'gone'` })).toEqual([]);
});

test('[SRV-7] a transaction that swallows a database error is rolled back and throws', async () => {
  const swallowing = database.transaction(async (transaction) => {
    await transaction.query({ text: `insert into operator (id, partner_key, name) values ('lost', 'lost', 'Lost')` });
    await transaction.query({ text: 'select 1 / 0' }).catch(() => undefined);
    return 'done';
  });
  await expect(swallowing).rejects.toThrow('rolled the transaction back');
  expect(await database.query({ text: `select 1 from operator where id = 'lost'` })).toEqual([]);
});

test('[SRV-7] a deadlock is retried up to three times', async () => {
  let runs = 0;
  const result = await database.transaction(async (transaction) => {
    runs += 1;
    if (runs < 4) await transaction.query({ text: `do $$ begin raise exception 'x' using errcode = '40P01'; end $$` });
    return runs;
  });
  expect(result).toBe(4);
});

const withMigration = (last: SchemaFile) => ({ ...schema, migrations: [...schema.migrations, last] });

test('[SRV-7] a migration may take longer than the statement timeout of the pool', async () => {
  const bounded: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        await transaction.query({ text: 'set local statement_timeout = 100' });
        await transaction.query({ text: 'set local idle_in_transaction_session_timeout = 100' });
        return work(transaction);
      }),
  };
  const settings = `select name, setting from pg_settings where name in
    ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`;
  const slow = { name: '9998_slow', sql: `select pg_sleep(0.3); create table slow_thing as ${settings}` };
  expect(await migrate(bounded, withMigration(slow))).toEqual(['9998_slow']);
  expect(await database.query({ text: 'select name, setting from slow_thing' })).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '0' },
    { name: 'statement_timeout', setting: '0' },
  ]);
  await database.query({ text: `delete from schema_migration where name = '9998_slow'` });
});

test('[SRV-7] a migration runs once when several nodes boot together', async () => {
  const next = { name: '9999_next', sql: 'select pg_sleep(0.3); create table next_thing (n int)' };
  const boots = await Promise.all(Array.from({ length: 5 }, () => migrate(database, withMigration(next))));
  expect(boots.flat()).toEqual(['9999_next']);
});
