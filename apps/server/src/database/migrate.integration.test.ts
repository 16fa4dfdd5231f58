import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { type SchemaFile, schema } from './schema-files.ts';
import { schemaState } from './schema-state.ts';
import { openEmptyTestDatabase, openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());

const applied = async (): Promise<string[]> =>
  (await database.query<{ name: string }>({ text: 'select name from schema_migration order by name' })).map(
    ({ name }) => name,
  );

/** Runs `work` with other rows in `schema_migration`, and restores the real rows. */
async function withApplied(names: readonly string[], work: () => Promise<void>): Promise<void> {
  await database.query({ text: 'create table kept as select * from schema_migration; delete from schema_migration' });
  await database.query({
    text: `insert into schema_migration (name, checksum) select name, coalesce(kept.checksum, '')
      from unnest($1::text[]) as wanted(name) left join kept using (name)`,
    values: [names],
  });
  try {
    await work();
  } finally {
    await database.query({
      text: 'delete from schema_migration; insert into schema_migration select * from kept; drop table kept',
    });
  }
}

test('[SRV-7] the baseline has every schema file and provider, and migrations are numbered without a gap', () => {
  expect(schema.baseline.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['baseline/ledger', 'baseline/providers/crypto', 'baseline/providers/sandbox']),
  );
  const names = schema.migrations.map(({ name }) => name);
  expect(names.map((name) => name.replace(/_[a-z0-9_]+$/, ''))).toEqual(
    names.map((_, n) => String(n + 1).padStart(4, '0')),
  );
});

test('[SRV-7] an empty database gets the baseline, file by file, then the migrations', async () => {
  const { database: fresh, drop } = await openEmptyTestDatabase();
  try {
    expect(await migrate(fresh)).toEqual(['baseline', ...schema.migrations.map(({ name }) => name)]);
    const rows = await fresh.query<{ name: string; checksum: string }>({
      text: 'select name, checksum from schema_migration order by name collate "C"',
    });
    expect(rows.map(({ name }) => name)).toEqual(
      [...schema.migrations, ...schema.baseline].map(({ name }) => name).toSorted(),
    );
    for (const { checksum } of rows) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    const first = { name: '9999_first', sql: 'create table first_thing (n int)' };
    expect(await migrate(fresh, { ...schema, migrations: [...schema.migrations, first] })).toEqual(['9999_first']);
  } finally {
    await drop();
  }
});

test('[SRV-7] applied files are not applied again', async () => {
  expect(await migrate(database)).toEqual([]);
  expect(await schemaState(database)).toMatchObject({ missing: [], refusal: undefined });
});

test('[SRV-7] a file changed after it was applied, and a newer database, are refused', async () => {
  const changed = (file: SchemaFile) => ({ ...file, sql: `${file.sql} ` });
  const [first, ...rest] = schema.baseline;
  if (first === undefined) throw new Error('no baseline');
  await expect(migrate(database, { ...schema, baseline: [changed(first), ...rest] })).rejects.toThrow(
    'baseline/clock.sql was changed',
  );
  await withApplied([...(await applied()), '9999_next'], async () => {
    await expect(migrate(database)).rejects.toThrow('newer than this build: it has 9999_next');
    expect(await schemaState(database)).toMatchObject({
      missing: [],
      refusal: expect.stringContaining('newer than this build: it has 9999_next'),
    });
  });
});

test('[SRV-7] a database of an unreleased build is refused with one line of advice, and left unchanged', async () => {
  await withApplied(['0001_operators', '0471_payout_accounts'], async () => {
    const refused = migrate(database);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      /^The database has the schema of an unreleased build \(its last migration is 0471_payout_accounts\), which cannot be upgraded: set DATABASE_URL to an empty database, or DATA_DIR to an empty folder\.$/,
    );
    expect(await applied()).toEqual(['0001_operators', '0471_payout_accounts']);
    expect((await schemaState(database)).refusal).toContain('unreleased build');
  });
});

test('[SRV-7] a file added to the baseline of a database in use is refused, because it would be missing there', async () => {
  const late = { name: 'baseline/late', sql: 'create table late (n int)' };
  await expect(migrate(database, { ...schema, baseline: [...schema.baseline, late] })).rejects.toThrow(
    'The database lacks baseline/late of the baseline',
  );
});
