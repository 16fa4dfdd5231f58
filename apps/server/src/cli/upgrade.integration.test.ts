/** Builds of two versions on one database: what the older one accepts, and what the newer one may do while the older one runs. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { type Schema, type SchemaFile, schema } from '../database/schema-files.ts';
import { migrationPlan, schemaState } from '../database/schema-state.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { ConfigError } from '../errors/config-error.ts';
import { newerSchema } from '../testing/newer-schema.ts';
import type { Surroundings } from './command.ts';
import { migrateCommand } from './migrate-command.ts';
import { runCommand } from './run-command.fixture.ts';

const own = schema.version;
const build = (version: string, ...more: readonly SchemaFile[]): Schema => ({
  ...schema,
  version,
  migrations: [...schema.migrations, ...more],
});
const file = (name: string, header: string, sql = `create table t${name} (n int)`): SchemaFile => ({
  name,
  sql: `${header}${sql}`,
});
const expand = file('9001_more', `-- class: expand\n-- compatible-with: ${own}\n`);
/** Removes what the version before the last one uses. */
const contract = file('9002_less', '-- class: contract\n-- compatible-with: 9001.0.0\n', 'drop table t9001_more');

const keptOpen: Surroundings['open'] = async () => ({ ...database, close: async () => undefined });
const printingTo = (lines: string[], environment: Record<string, string>): Surroundings => ({
  environment,
  clock: systemClock,
  open: keptOpen,
  output: { out: (line) => lines.push(line), error: (line) => lines.push(line), progress: () => undefined },
});

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());
afterEach(async () => {
  await database.query({
    text: `drop table if exists t9001_more, t9001_other, deposit_channel; drop trigger if exists deposit_channelled on deposit;
      drop function if exists write_deposit_channel; alter table deposit drop column if exists channel;
      delete from schema_migration where name like '9%'; delete from schema_build where version like '9%'`,
  });
});

test('[SRV-7] the version before works on a database that an expand migration has changed', async () => {
  expect(await migrate(database, newerSchema)).toEqual(['9001_channels']);
  expect(await migrate(database), 'the way back changes nothing').toEqual([]);
  expect(await schemaState(database)).toMatchObject({ missing: [], refusal: undefined });
  expect((await migrationPlan(database)).accepted).toEqual(['9001_channels']);
  const listed = await runCommand('list', {
    environment: { DATABASE_URL: 'postgres://cashier@db.example/cashier' },
    open: keptOpen,
  });
  expect(listed).toMatchObject({ exitCode: 0, errors: '' });
});

test('[SRV-7] a version that does not work with the database is refused, and learns which one does', async () => {
  await migrate(database, build('9001.0.0', expand));
  await migrate(database, build('9002.0.0', expand, contract));
  const refused = migrate(database);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(
    `The database is newer than this build: it has 9002_less, and version ${own} does not work with that. Start version 9001.0.0 or later, or restore the backup from before the upgrade.`,
  );
  expect(await migrate(database, build('9001.0.0', expand))).toEqual([]);
});

test('[SRV-7] a migration that a running version does not survive waits until all nodes are stopped', async () => {
  const jump = build('9002.0.0', expand, contract);
  await expect(migrate(database, jump, { areNodesStopped: false })).rejects.toThrow(
    `The migration 9002_less needs every node at version 9001.0.0 or later, but version ${own} migrated this database last.`,
  );
  expect(await schemaState(database, jump), 'nothing was applied').toMatchObject({
    missing: ['9001_more', '9002_less'],
  });
  expect(await migrate(database, jump, { areNodesStopped: true })).toEqual(['9001_more', '9002_less']);
});

test('[SRV-7] a node of the version before that was started again counts as running', async () => {
  await migrate(database, build('9001.0.0', expand));
  await migrate(database);
  const next = migrate(database, build('9002.0.0', expand, contract), { areNodesStopped: false });
  await expect(next).rejects.toThrow(`version ${own} migrated this database last`);
});

test('[SRV-7] two builds with different migrations do not mix', async () => {
  await migrate(database, build('9001.0.0', expand));
  const other = file('9001_other', `-- class: expand\n-- compatible-with: ${own}\n`);
  await expect(migrate(database, build(own, other))).rejects.toThrow(
    'has 9001_more of a newer build, but lacks 9001_other of this build',
  );
});

test('[SRV-7] the way back needs no rights to change tables, and grants none', async () => {
  await migrate(database, newerSchema);
  const role = `old_${Date.now()}`;
  const printed: string[] = [];
  const environment = {
    DATABASE_URL: `postgres://${role}:x@database.example/cashier`,
    DATABASE_OWNER_URL: 'postgres://owner@database.example/cashier',
  };
  const code = await migrateCommand(printingTo(printed, environment));
  expect(code).toBe(0);
  expect(printed.join('\n')).toContain('The rights of the application’s role were left as they are.');
  expect(await database.query({ text: 'select 1 from pg_roles where rolname = $1', values: [role] })).toEqual([]);
});

describe('[SRV-7] the plan', () => {
  const planned = async (target: Schema): Promise<{ code: number; lines: readonly string[] }> => {
    const lines: string[] = [];
    const surroundings = printingTo(lines, { DATABASE_URL: 'postgres://cashier@database.example/cashier' });
    return { code: await migrateCommand(surroundings, { isPlan: true, schema: target }), lines };
  };

  test('says that the way back stays open, and changes nothing', async () => {
    expect(await planned(build('9001.0.0', expand))).toEqual({
      code: 0,
      lines: [
        `The database was last migrated by version ${own}. This is version 9001.0.0.`,
        `9001_more: expand, works with ${own} and later`,
        `Nodes of version ${own} and later may run during and after it.`,
        `You can go back to version ${own} or later without a restore.`,
      ],
    });
    expect(await schemaState(database, newerSchema)).toMatchObject({ missing: ['9001_channels'] });
  });

  test('says that all nodes must be stopped, with exit code 1', async () => {
    const { code, lines } = await planned(build('9002.0.0', expand, contract));
    expect(code).toBe(1);
    expect(lines).toContain(
      `Stop all nodes before 9002_less: version ${own} does not work after it. Make a backup first.`,
    );
    expect(lines).toContain(
      'Then run opencashier migrate --nodes-stopped. The only way back is to restore the backup.',
    );
  });

  test('knows a database without tables, and one that is up to date', async () => {
    expect((await planned(schema)).lines).toContain('No migration is missing.');
    await database.query({ text: 'alter schema public rename to aside; create schema public' });
    expect((await planned(schema)).lines).toEqual([`The database is empty. Version ${own} would create the tables.`]);
    expect(await migrationPlan(database)).toMatchObject({ isNew: true, migrations: [], lastBuild: undefined });
    await database.query({ text: 'drop schema public; alter schema aside rename to public' });
  });
});
