/**
 * Brings a database to the schema of this build: the baseline on an empty database, then the missing migrations.
 * Everything runs in one transaction, under a lock that all nodes of one database share. Nodes of the version before may run
 * meanwhile (docs/adr/0027).
 */

import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import { ConfigError } from '../errors/config-error.ts';
import type { Database, Transaction } from './database.ts';
import { headerOf } from './migration-header.ts';
import { makePartitions } from './partitions.ts';
import { isLockTimeout, ownNamesFirst } from './pool-database.ts';
import { isBaseline, type Schema, type SchemaFile, schema } from './schema-files.ts';
import {
  type Applied,
  breakingOf,
  hasTable,
  newerDatabase,
  newerThan,
  plannedOf,
  readApplied,
  readLastBuild,
  unreleasedSchema,
} from './schema-state.ts';

/** An arbitrary constant: the number of our lock among the database's advisory locks. */
const LOCK = 4_726_001;
/** How long a node waits for the migrations of another node, and for a table that a long transaction uses. */
const LONGEST_WAIT_MINUTES = 15;
/** Everything that comes after a waiting migration waits, too. So it gives up soon, and tries again later. */
const TABLE_WAIT_SECONDS = 3;
const TRY_AGAIN_MS = 5_000;

/** The connection's role may not create tables, and some are missing: the owner of the tables must migrate. */
export class MigrationRightsError extends Error {
  override readonly name = 'MigrationRightsError';
}

export interface MigrateOptions {
  /** Learns that another node migrates, or that a table is in use, while this one waits. */
  readonly logger?: { info(fields: object, message: string): void };
  /** Absent: the platform's clock. */
  readonly clock?: Clock;
  /** No node of an older version runs, so migrations may break them. The embedded database has one process anyway. */
  readonly areNodesStopped?: boolean;
  /** Runs in the same transaction, after the migrations. */
  readonly finish?: (transaction: Transaction) => Promise<void>;
}

/**
 * Brings the schema to this build's version. Two nodes that start together wait for each other.
 * A role that may not change tables passes when nothing is missing. A database of a newer build passes unchanged if that
 * build's migrations work with this version.
 * @returns the names of the applied migrations; `baseline` stands for all its files
 * @throws MigrationRightsError when tables are missing and the role may not create them
 * @throws ConfigError when another node still migrates, or a table is still in use, after 15 minutes
 * @throws ConfigError when this version does not work with the database, or a running node would not any more
 * @throws Error when an applied file was changed afterwards
 */
export async function migrate(
  database: Database,
  target: Schema = schema,
  options: MigrateOptions = {},
): Promise<string[]> {
  const { clock = systemClock, logger } = options;
  const startedAt = clock.now();
  for (;;) {
    try {
      return await database.transaction((transaction) => migrateIn(transaction, database.kind, target, options));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (clock.now() - startedAt > LONGEST_WAIT_MINUTES * 60_000) {
        throw new ConfigError([
          `A long transaction, such as a backup, has used a table of the migration for ${LONGEST_WAIT_MINUTES} minutes. Nothing was changed. Migrate again when it has ended.`,
        ]);
      }
      logger?.info({ againInMs: TRY_AGAIN_MS }, 'a long transaction uses a table of the migration: trying again');
      await pause(clock, TRY_AGAIN_MS);
    }
  }
}

/**
 * {@link migrate} as a part of the caller's transaction, which fails as a whole if a table is in use for more than three seconds.
 * @returns the names of the applied migrations
 */
export async function migrateIn(
  transaction: Transaction,
  kind: Database['kind'],
  target: Schema,
  { logger, areNodesStopped = kind === 'embedded', finish }: MigrateOptions,
): Promise<string[]> {
  await liftTimeouts(transaction);
  await takeLock(transaction, logger);
  await transaction.query({ text: `set local lock_timeout = '${TABLE_WAIT_SECONDS}s'` });
  // Defaults and functions read the time of this schema, which the clock of a sandbox can move.
  await transaction.query({ text: ownNamesFirst(true) });
  await ensureMigrationTables(transaction);
  const applied = await readApplied(transaction);
  const words = unreleasedSchema([...applied.keys()]);
  if (words !== undefined) throw new ConfigError([words]);
  const files = [...target.baseline, ...target.migrations];
  const missing = files.filter(({ name }) => !applied.has(name));
  await requireRights(transaction, missing.length);
  refuseNewer(target, applied, missing);
  refuseChanged(applied, files);
  refusePart(applied, missing);
  if (!areNodesStopped) await refuseBreaking(transaction, target, applied);
  for (const file of missing) await apply(transaction, file);
  await rememberBuild(transaction, target.version);
  await makePartitions(transaction, kind);
  await finish?.(transaction);
  const migrated = missing.map(({ name }) => name).filter((name) => !isBaseline(name));
  return applied.size === 0 && target.baseline.length > 0 ? ['baseline', ...migrated] : migrated;
}

async function apply(transaction: Transaction, file: SchemaFile): Promise<void> {
  await transaction.query({ text: file.sql });
  const header = isBaseline(file.name) ? undefined : headerOf(file.sql);
  await transaction.query({
    text: 'insert into schema_migration (name, checksum, class, compatible_with) values ($1, $2, $3, $4)',
    values: [file.name, checksumOf(file), header?.class ?? null, header?.compatibleWith ?? null],
  });
}

/** The checksum that a database stores for a file, in hexadecimal digits. */
export function checksumOf({ sql }: Pick<SchemaFile, 'sql'>): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** An index on a filled table takes minutes, and the pool's timeouts would roll it back at every start. */
async function liftTimeouts(transaction: Transaction): Promise<void> {
  await transaction.query({ text: 'set local statement_timeout = 0' });
  await transaction.query({ text: 'set local idle_in_transaction_session_timeout = 0' });
  await transaction.query({ text: `set local lock_timeout = '${LONGEST_WAIT_MINUTES}min'` });
}

async function takeLock(transaction: Transaction, logger: MigrateOptions['logger']): Promise<void> {
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

async function ensureMigrationTables(transaction: Transaction): Promise<void> {
  // Checked first, because `create table if not exists` needs the right to create tables even for an existing table.
  if (await hasTable(transaction, 'schema_migration')) return;
  await requireRights(transaction, 1);
  await transaction.query({
    text: `create table schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now(),
      -- Of a migration: whether it only adds, and the oldest version of the cashier that works after it.
      class text check (class in ('expand', 'contract')), compatible_with text);
      comment on table schema_migration is 'The schema files that this database has applied, with their checksums.';
      create table schema_build (version text primary key, migrated_at timestamptz not null default now());
      comment on table schema_build is 'The versions of the cashier that migrated this database, each with the last time.'`,
  });
}

async function requireRights(transaction: Transaction, missing: number): Promise<void> {
  if (missing === 0) return;
  const may = await rightsOf(transaction);
  if (may.create) return;
  throw new MigrationRightsError(
    `The database lacks tables or migrations of this build, and the role ${may.role} of DATABASE_URL may not create them: run \`opencashier migrate\` with DATABASE_OWNER_URL.`,
  );
}

async function rightsOf(transaction: Transaction): Promise<{ readonly create: boolean; readonly role: string }> {
  const [may] = await transaction.query<{ create: boolean; role: string }>({
    text: `select has_schema_privilege(current_schema(), 'create') as create, current_user as role`,
  });
  return may ?? { create: false, role: 'of the connection' };
}

/** A node without the rights of the owner leaves this to `opencashier migrate`. */
async function rememberBuild(transaction: Transaction, version: string): Promise<void> {
  if (!(await rightsOf(transaction)).create) return;
  await transaction.query({
    text: `insert into schema_build (version) values ($1)
      on conflict (version) do update set migrated_at = excluded.migrated_at`,
    values: [version],
  });
}

function refuseNewer(target: Schema, applied: ReadonlyMap<string, Applied>, missing: readonly SchemaFile[]): void {
  const newer = newerThan(target, applied);
  const words = newerDatabase(newer, target.version);
  if (words !== undefined) throw new ConfigError([words]);
  if (newer.accepted.length === 0 || missing.length === 0) return;
  throw new ConfigError([
    `The database has ${newer.accepted.join(', ')} of a newer build, but lacks ${missing.map(({ name }) => name).join(', ')} of this build. Start a version that has all of them.`,
  ]);
}

async function refuseBreaking(
  transaction: Transaction,
  target: Schema,
  applied: ReadonlyMap<string, Applied>,
): Promise<void> {
  const lastBuild = await readLastBuild(transaction);
  const [first] = breakingOf(plannedOf(target, applied), lastBuild);
  if (first === undefined) return;
  throw new ConfigError([
    `The migration ${first.name} needs every node at version ${first.worksWith} or later, but version ${lastBuild} migrated this database last. Upgrade all nodes to ${first.worksWith} first. Or stop all nodes, make a backup, and run \`opencashier migrate --nodes-stopped\`.`,
  ]);
}

function refuseChanged(applied: ReadonlyMap<string, Applied>, files: readonly SchemaFile[]): void {
  for (const file of files) {
    const known = applied.get(file.name)?.checksum;
    if (known === undefined || known === checksumOf(file)) continue;
    throw new Error(`${file.name}.sql was changed after this database had applied it`);
  }
}

/** A baseline file added later would never reach the databases that already have the baseline. */
function refusePart(applied: ReadonlyMap<string, Applied>, missing: readonly SchemaFile[]): void {
  const late = missing.map(({ name }) => name).filter(isBaseline);
  if (applied.size === 0 || late.length === 0) return;
  throw new Error(`The database lacks ${late.join(', ')} of the baseline: add new tables by a migration`);
}
