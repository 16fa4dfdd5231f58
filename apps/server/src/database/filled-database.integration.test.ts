/**
 * Every migration runs on a database with rows, because an empty database accepts changes that a database in use refuses.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { emptyTables, migrateFilled, strayRows, tablesOf } from './filled-database.fixture.ts';
import { migrate } from './migrate.ts';
import { schema } from './schema-files.ts';
import { openEmptyTestDatabase, openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let filled: TestDatabase;
beforeAll(async () => {
  filled = await openEmptyTestDatabase();
  await migrateFilled(filled.database);
});
afterAll(() => filled.drop());

const withMigration = (sql: string) => ({
  ...schema,
  migrations: [...schema.migrations, { name: '9999_tried', sql }],
});

test('[SRV-7] every migration applies to a database in use, one after the other, and the ledger audit finds no fault', async () => {
  expect(await migrate(filled.database)).toEqual([]);
  const audit = await auditLedger(filled.database);
  expect(audit).toEqual({
    isSound: true,
    unbalancedAssets: [],
    wrongBalances: [],
    uncreditedDeposits: [],
    faults: [],
  });
});

test('[SRV-7] every table has rows, so that a migration of any table meets rows', async () => {
  expect(await emptyTables(filled.database), 'add rows to filled/<migration>.sql').toEqual([]);
  expect(strayRows, 'name the file after its migration').toEqual([]);
});

describe('[SRV-7] a migration that an empty database accepts fails here:', () => {
  test('a column without a default, on any table', async () => {
    for (const table of await tablesOf(filled.database)) {
      const tried = migrate(filled.database, withMigration(`alter table ${table} add column tried int not null`));
      await expect(tried, table).rejects.toThrow('contains null values');
    }
  });

  test.each([
    ['a check that rows break', `alter table deposit add check (state <> 'late_paid')`],
    [
      'a state that is in use, removed',
      `delete from deposit_transition; delete from deposit_state where state = 'reversed'`,
    ],
    ['a unique index over repeated values', 'create unique index on deposit (operator_id, payment_method)'],
    ['a change of rows that are written once', `update journal set note = 'tried'`],
  ])('%s', async (_, sql) => {
    await expect(migrate(filled.database, withMigration(sql))).rejects.toThrow();
    expect(await migrate(filled.database), 'nothing of it stays').toEqual([]);
  });

  test('an empty database accepts them', async () => {
    const empty = await openTestDatabase();
    try {
      const sql = 'alter table deposit add column tried int not null';
      expect(await migrate(empty.database, withMigration(sql))).toEqual(['9999_tried']);
    } finally {
      await empty.drop();
    }
  });
});

test('[SRV-7] a later migration meets the rows of an earlier migration', async () => {
  const database = await openEmptyTestDatabase();
  try {
    const steps = [
      { name: '9998_first', sql: 'create table first_thing (n int); insert into first_thing values (1)' },
      { name: '9999_second', sql: 'alter table first_thing add column must text not null' },
    ];
    await expect(migrateFilled(database.database, [...schema.migrations, ...steps])).rejects.toThrow('null values');
  } finally {
    await database.drop();
  }
});
