/** Numbered SQL migrations: each runs once, in one transaction, under a lock that all nodes of one database share. */
import { createHash } from 'node:crypto';
import { ConfigError } from '../config-error.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { sqlStateOf } from './pool-database.ts';

export interface Migration {
  /** Such as `0001_money`: four digits give the order. */
  readonly name: string;
  readonly sql: string;
}

const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });

/** The migrations of this build, in order. */
export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, sql]) => ({ name: path.replace(/^.*\/(.+)\.sql$/, '$1'), sql }))
  .sort((left, right) => (left.name < right.name ? -1 : 1));

/** Any fixed number: it names the lock among all advisory locks of the database. */
const LOCK = 4_726_001;
/** A node waits so long for the migrations of another node, and a migration for a table. */
const LONGEST_WAIT_MINUTES = 15;
const LOCK_NOT_AVAILABLE = '55P03';

/** The connection's role may not make tables, and there are some to make: somebody else has to. */
export class MigrationRightsError extends Error {
  override readonly name = 'MigrationRightsError';
}

/**
 * Brings the schema to this build's version. Two nodes that boot together wait for each other. A role that may not change tables
 * finds them made.
 * @param logger told when another node migrates, so that this one waits
 * @throws MigrationRightsError where they are not; ConfigError when another node still migrates after 15 minutes; Error when an applied migration was changed afterwards, or the database is newer
 *   than this build
 */
export async function migrate(
  database: Database,
  wanted: readonly Migration[] = migrations,
  logger?: { info(fields: object, message: string): void },
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    await liftTimeouts(transaction);
    await takeLock(transaction, logger);
    await ensureMigrationTable(transaction);
    const applied = await readApplied(transaction);
    await requireRights(transaction, wanted.filter(({ name }) => !applied.has(name)).length);
    refuseUnknown(applied, wanted);
    const done: string[] = [];
    for (const migration of wanted) {
      const checksum = createHash('sha256').update(migration.sql).digest('hex');
      const known = applied.get(migration.name);
      if (known === checksum) continue;
      if (known !== undefined) throw new Error(`Migration ${migration.name} was changed after it had been applied`);
      await transaction.query({ text: migration.sql });
      await transaction.query({
        text: 'insert into schema_migration (name, checksum) values ($1, $2)',
        values: [migration.name, checksum],
      });
      done.push(migration.name);
    }
    return done;
  });
}

/** An index of a filled table takes minutes: the pool's bounds would roll it back at every start. */
async function liftTimeouts(transaction: Transaction): Promise<void> {
  await transaction.query({ text: 'set local statement_timeout = 0' });
  await transaction.query({ text: 'set local idle_in_transaction_session_timeout = 0' });
  await transaction.query({ text: `set local lock_timeout = '${LONGEST_WAIT_MINUTES}min'` });
}

async function takeLock(
  transaction: Transaction,
  logger: { info(fields: object, message: string): void } | undefined,
): Promise<void> {
  const [free] = await transaction.query<{ taken: boolean }>({
    text: 'select pg_try_advisory_xact_lock($1) as taken',
    values: [LOCK],
  });
  if (free?.taken === true) return;
  logger?.info({ mostMinutes: LONGEST_WAIT_MINUTES }, 'another node migrates the database: waiting for it');
  try {
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new ConfigError([
      `Another node has been migrating the database for ${LONGEST_WAIT_MINUTES} minutes: start this one again when it is done.`,
    ]);
  }
}

async function ensureMigrationTable(transaction: Transaction): Promise<void> {
  // Asked first: making it, where it is, needs the right to make tables all the same.
  const [found] = await transaction.query<{ exists: boolean }>({
    text: `select to_regclass('schema_migration') is not null as exists`,
  });
  if (found?.exists === true) return;
  await requireRights(transaction, 1);
  await transaction.query({
    text: `create table schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  });
}

async function requireRights(transaction: Transaction, missing: number): Promise<void> {
  if (missing === 0) return;
  const [may] = await transaction.query<{ create: boolean; role: string }>({
    text: `select has_schema_privilege(current_schema(), 'create') as create, current_user as role`,
  });
  if (may?.create === true) return;
  throw new MigrationRightsError(
    `The database lacks migrations of this build, and the role ${may?.role} of DATABASE_URL may not make them: run \`opencashier migrate\` with DATABASE_OWNER_URL.`,
  );
}

async function readApplied(transaction: Transaction): Promise<Map<string, string>> {
  const rows = await transaction.query<{ name: string; checksum: string }>({
    text: 'select name, checksum from schema_migration',
  });
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function refuseUnknown(applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): void {
  const names = new Set(wanted.map((migration) => migration.name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`The database is newer than this build: it has ${unknown.join(', ')}`);
}

/** How the tables of a database compare with this build; reads only. */
export interface SchemaState {
  readonly applied: number;
  /** Migrations of this build that have not run. */
  readonly missing: readonly string[];
  /** Migrations that a newer build has run. */
  readonly unknown: readonly string[];
}

export async function schemaState(queryable: Queryable): Promise<SchemaState> {
  const [table] = await queryable.query<{ exists: boolean }>({
    text: `select to_regclass('schema_migration') is not null as exists`,
  });
  const rows = table?.exists
    ? await queryable.query<{ name: string }>({ text: 'select name from schema_migration order by name' })
    : [];
  const applied = new Set(rows.map(({ name }) => name));
  const wanted = new Set(migrations.map(({ name }) => name));
  return {
    applied: applied.size,
    missing: [...wanted].filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !wanted.has(name)),
  };
}
