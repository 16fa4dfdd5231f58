/**
 * Brings a database to the schema of this build: the baseline on an empty database, then the missing migrations.
 * Everything runs in one transaction, under a lock that all nodes of one database share.
 */
import { createHash } from 'node:crypto';
import { ConfigError } from '../errors/config-error.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { makePartitions } from './partitions.ts';
import { isLockTimeout } from './pool-database.ts';
import { isBaseline, type Schema, type SchemaFile, schema } from './schema-files.ts';

/** An arbitrary constant: the number of our lock among the database's advisory locks. */
const LOCK = 4_726_001;
/** How long a node waits for the migrations of another node, and a migration for a table lock. */
const LONGEST_WAIT_MINUTES = 15;

/** The connection's role may not create tables, and some are missing: the owner of the tables must migrate. */
export class MigrationRightsError extends Error {
  override readonly name = 'MigrationRightsError';
}

/**
 * Brings the schema to this build's version. Two nodes that start together wait for each other.
 * A role that may not change tables passes when nothing is missing.
 * @param logger used when another node migrates and this node waits
 * @returns the names of the applied migrations; `baseline` stands for all its files
 * @throws MigrationRightsError when tables are missing and the role may not create them
 * @throws ConfigError when another node still migrates after 15 minutes
 * @throws ConfigError when the database has the schema of an unreleased build
 * @throws Error when an applied file was changed afterwards, or when the database is newer than this build
 */
export async function migrate(
  database: Database,
  target: Schema = schema,
  logger?: { info(fields: object, message: string): void },
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    await liftTimeouts(transaction);
    await takeLock(transaction, logger);
    await ensureMigrationTable(transaction);
    const applied = await readApplied(transaction);
    const words = unreleasedSchema([...applied.keys()]);
    if (words !== undefined) throw new ConfigError([words]);
    const files = [...target.baseline, ...target.migrations];
    const missing = files.filter(({ name }) => !applied.has(name));
    await requireRights(transaction, missing.length);
    refuseUnknown(applied, files);
    refuseChanged(applied, files);
    refusePart(applied, missing);
    for (const file of missing) await apply(transaction, file);
    await makePartitions(transaction, database.kind);
    const migrated = missing.map(({ name }) => name).filter((name) => !isBaseline(name));
    return applied.size === 0 && target.baseline.length > 0 ? ['baseline', ...migrated] : migrated;
  });
}

async function apply(transaction: Transaction, file: SchemaFile): Promise<void> {
  await transaction.query({ text: file.sql });
  await transaction.query({
    text: 'insert into schema_migration (name, checksum) values ($1, $2)',
    values: [file.name, checksumOf(file)],
  });
}

function checksumOf({ sql }: SchemaFile): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** An index on a filled table takes minutes, and the pool's timeouts would roll it back at every start. */
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
    if (!isLockTimeout(error)) throw error;
    throw new ConfigError([
      `Another node has been migrating the database for ${LONGEST_WAIT_MINUTES} minutes. Start this node again after the migration.`,
    ]);
  }
}

async function ensureMigrationTable(transaction: Transaction): Promise<void> {
  // Checked first, because `create table if not exists` needs the right to create tables even for an existing table.
  const [found] = await transaction.query<{ exists: boolean }>({
    text: `select to_regclass('schema_migration') is not null as exists`,
  });
  if (found?.exists === true) return;
  await requireRights(transaction, 1);
  await transaction.query({
    text: `create table schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now());
      comment on table schema_migration is 'The schema files that this database has applied, with their checksums.'`,
  });
}

async function requireRights(transaction: Transaction, missing: number): Promise<void> {
  if (missing === 0) return;
  const [may] = await transaction.query<{ create: boolean; role: string }>({
    text: `select has_schema_privilege(current_schema(), 'create') as create, current_user as role`,
  });
  if (may?.create === true) return;
  throw new MigrationRightsError(
    `The database lacks tables or migrations of this build, and the role ${may?.role} of DATABASE_URL may not create them: run \`opencashier migrate\` with DATABASE_OWNER_URL.`,
  );
}

async function readApplied(transaction: Transaction): Promise<Map<string, string>> {
  const rows = await transaction.query<{ name: string; checksum: string }>({
    text: 'select name, checksum from schema_migration',
  });
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** The error message for a database older than the baseline, which this build cannot upgrade. Undefined for any other. */
function unreleasedSchema(applied: readonly string[]): string | undefined {
  const last = applied.toSorted().at(-1);
  if (last === undefined || applied.some(isBaseline)) return undefined;
  return `The database has the schema of an unreleased build (its last migration is ${last}), which cannot be upgraded: set DATABASE_URL to an empty database, or DATA_DIR to an empty folder.`;
}

function refuseUnknown(applied: ReadonlyMap<string, string>, files: readonly SchemaFile[]): void {
  const names = new Set(files.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`The database is newer than this build: it has ${unknown.join(', ')}. Start a newer build`);
}

function refuseChanged(applied: ReadonlyMap<string, string>, files: readonly SchemaFile[]): void {
  for (const file of files) {
    const known = applied.get(file.name);
    if (known === undefined || known === checksumOf(file)) continue;
    throw new Error(`${file.name}.sql was changed after this database had applied it`);
  }
}

/** A baseline file added later would never reach the databases that already have the baseline. */
function refusePart(applied: ReadonlyMap<string, string>, missing: readonly SchemaFile[]): void {
  const late = missing.map(({ name }) => name).filter(isBaseline);
  if (applied.size === 0 || late.length === 0) return;
  throw new Error(`The database lacks ${late.join(', ')} of the baseline: add new tables by a migration`);
}

/** The difference between a database's schema and this build. Read only. */
export interface SchemaState {
  /** The number of applied files; 0 for an empty database. */
  readonly applied: number;
  /** Files of this build that the database has not applied. */
  readonly missing: readonly string[];
  /** Migrations that a newer build has applied. */
  readonly unknown: readonly string[];
  /** Why this build cannot upgrade the database. Undefined: it can. */
  readonly former: string | undefined;
}

/** Compares a database with this build. Works on an empty database, too. */
export async function schemaState(queryable: Queryable): Promise<SchemaState> {
  const [table] = await queryable.query<{ exists: boolean }>({
    text: `select to_regclass('schema_migration') is not null as exists`,
  });
  const rows = table?.exists
    ? await queryable.query<{ name: string }>({ text: 'select name from schema_migration order by name' })
    : [];
  const applied = rows.map(({ name }) => name);
  const known = [...schema.baseline, ...schema.migrations].map(({ name }) => name);
  const former = unreleasedSchema(applied);
  return {
    applied: applied.length,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: former === undefined ? applied.filter((name) => !known.includes(name)) : [],
    former,
  };
}
