/**
 * Restores a backup into an empty database, in one transaction. So a restore that fails leaves the database empty. Nothing is taken on
 * trust: the rows are read back and compared, and the ledger is audited again.
 */
import pg from 'pg';
import { archivedTriggers } from '../database/archive-partition.ts';
import type { Database, Transaction } from '../database/database.ts';
import { checksumOf, type MigrateOptions, migrateIn } from '../database/migrate.ts';
import { type Schema, schema } from '../database/schema-files.ts';
import { counted } from '../languages/counted.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import {
  type BackedUpTable,
  BackupFileError,
  type BackupHeader,
  type BackupPart,
  type Manifest,
  RowsDigest,
} from './backup-format.ts';
import { partitionsOf, placeOf, rowsOf, tablesOf, totalsOf } from './read-tables.ts';
import { sumOfAudit } from './write-backup.ts';

/** Rows that are sent together. */
const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 1_000_000;

export interface RestoreOptions {
  /** Runs at the end, in the same transaction. */
  readonly finish?: MigrateOptions['finish'];
  /** Called when a table with rows is restored. */
  readonly onTable?: (name: string, rows: number) => void;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Migrations that this build has and the backup did not. */
  readonly migrations: readonly string[];
}

/** What was restored differs from the backup, or the database is not empty. Nothing was changed. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/**
 * @param parts from `readParts`
 * @throws BackupFileError when the file is damaged
 * @throws RestoreError when the database is not empty, another version is needed, or a comparison fails
 */
export async function restoreBackup(
  database: Database,
  parts: AsyncGenerator<BackupPart>,
  options: RestoreOptions = {},
): Promise<Restored> {
  try {
    return await restoreParts(database, parts, options);
  } finally {
    // Closes the file if something failed before its end.
    await parts.return(undefined);
  }
}

async function restoreParts(
  database: Database,
  parts: AsyncGenerator<BackupPart>,
  options: RestoreOptions,
): Promise<Restored> {
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'header') throw new BackupFileError('The backup has no header.');
  const { header } = first.value;
  const before = schemaOfBackup(header);
  // A transaction that is repeated would find the file read already. Nobody else uses an empty database, so none is.
  return await database.transaction(async (transaction) => {
    await refuseUsed(transaction);
    await migrateIn(transaction, database.kind, before, { areNodesStopped: true });
    await transaction.query({ text: `set local timezone = 'UTC'` });
    await makePlaces(transaction, header);
    const references = await dropReferences(transaction);
    await switchTriggers(transaction, 'disable');
    await emptyTables(transaction);
    const manifest = await load(transaction, parts, options);
    await setSequences(transaction, header);
    await switchTriggers(transaction, 'enable');
    for (const text of references) await transaction.query({ text });
    await compareTables(transaction, manifest);
    await compareMoney(transaction, manifest);
    const migrations = await migrateIn(transaction, database.kind, schema, {
      areNodesStopped: true,
      ...(options.finish && { finish: options.finish }),
    });
    return { manifest, migrations };
  });
}

/** The schema that the backup was made with: this build's baseline, and its migrations as far as the backup has them. */
function schemaOfBackup({ schema: files, version }: BackupHeader): Schema {
  const wanted = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const own = [...schema.baseline, ...schema.migrations];
  const unknown = files.filter(({ name }) => !own.some((file) => file.name === name));
  const changed = own.filter((file) => wanted.has(file.name) && wanted.get(file.name) !== checksumOf(file));
  const lacking = schema.baseline.filter(({ name }) => !wanted.has(name));
  const [other] = [...unknown, ...changed, ...lacking];
  if (other !== undefined)
    throw new RestoreError(
      `Version ${version} made this backup, and its ${other.name}.sql is not that of this build (${schema.version}). Restore it with version ${version}.`,
    );
  return { ...schema, migrations: schema.migrations.filter(({ name }) => wanted.has(name)) };
}

async function refuseUsed(transaction: Transaction): Promise<void> {
  const found = await transaction.query<{ name: string }>({
    text: `select relname::text as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'S')
      and relnamespace in (select oid from pg_namespace where nspname in (current_schema(), 'archive'))
      and relname <> 'durability_check' order by 1 limit 3`,
  });
  if (found.length === 0) return;
  throw new RestoreError(
    `The database is not empty: it has ${found.map(({ name }) => name).join(', ')}. A restore needs an empty database. Nothing was changed.`,
  );
}

/** The partitions of the backup instead of those of today, and the tables of archived months that were kept. */
async function makePlaces(transaction: Transaction, header: BackupHeader): Promise<void> {
  for (const { name } of await partitionsOf(transaction))
    await transaction.query({ text: `drop table ${pg.escapeIdentifier(name)}` });
  for (const { parent, since, until } of header.partitions) {
    await transaction.query({
      text: 'select extend_partitions($1, $2, $3, $4)',
      values: [parent, since, until, stepOf(since, until)],
    });
  }
  const made = JSON.stringify(await partitionsOf(transaction));
  if (made !== JSON.stringify(header.partitions))
    throw new RestoreError('The partitions of the backup could not be made. Nothing was changed.');
  if (header.kept.length > 0) await transaction.query({ text: 'create schema if not exists archive' });
  for (const { name, parent } of header.kept) {
    const place = placeOf(`archive.${name}`);
    for (const text of [
      `create table ${place} (like ${pg.escapeIdentifier(parent)} including all)`,
      ...archivedTriggers(place),
    ])
      await transaction.query({ text });
  }
}

/** A partition is a day, a month or a year; the first of a table may be shorter. */
function stepOf(since: string, until: string): 'day' | 'month' | 'year' {
  const days = (Date.parse(until) - Date.parse(since)) / 86_400_000;
  if (days <= 1) return 'day';
  return days <= 31 ? 'month' : 'year';
}

/**
 * The rows are facts already: no rule is applied to them again, and no trigger may write further rows. The owner of a table may switch
 * its triggers, but not the checks of foreign keys.
 */
async function switchTriggers(transaction: Transaction, how: 'disable' | 'enable'): Promise<void> {
  const tables = await transaction.query<{ place: string }>({
    text: `select distinct tgrelid::regclass::text as place from pg_trigger
        join pg_class place on place.oid = tgrelid join pg_namespace space on space.oid = place.relnamespace
      where not tgisinternal and (space.nspname = current_schema() or space.nspname = 'archive') order by 1`,
  });
  for (const { place } of tables) await transaction.query({ text: `alter table ${place} ${how} trigger user` });
}

/**
 * Drops the foreign keys, because tables reference each other in circles. They are made again after the rows, and then check all rows
 * together.
 * @returns the statements that make them
 */
async function dropReferences(transaction: Transaction): Promise<readonly string[]> {
  const found = await transaction.query<{ drop: string; make: string }>({
    text: `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
      order by conrelid::regclass::text, conname`,
  });
  for (const { drop } of found) await transaction.query({ text: drop });
  return found.map(({ make }) => make);
}

/** The baseline has rows of its own, such as the kinds of journals. Those of the backup replace them. */
async function emptyTables(transaction: Transaction): Promise<void> {
  const tables = await tablesOf(transaction);
  await transaction.query({ text: `truncate ${tables.map(({ name }) => placeOf(name)).join(', ')}` });
}

async function load(
  transaction: Transaction,
  parts: AsyncGenerator<BackupPart>,
  { onTable = () => undefined }: RestoreOptions,
): Promise<Manifest> {
  let table: BackedUpTable | undefined;
  let lines: string[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    if (table !== undefined && lines.length > 0) await insert(transaction, table, lines);
    lines = [];
    characters = 0;
  };
  for await (const part of parts) {
    if (part.kind === 'table') table = part.table;
    if (part.kind === 'row') {
      lines.push(part.line);
      characters += part.line.length;
      if (lines.length >= MOST_ROWS || characters >= MOST_CHARACTERS) await send();
    }
    if (part.kind === 'end') {
      await send();
      if (part.sum.rows > 0) onTable(table?.name ?? '', part.sum.rows);
    }
    if (part.kind === 'manifest') return part.manifest;
  }
  throw new BackupFileError('The backup has no manifest.');
}

async function insert(
  transaction: Transaction,
  { name, columns }: BackedUpTable,
  lines: readonly string[],
): Promise<void> {
  const list = columns.map(pg.escapeIdentifier).join(', ');
  const place = placeOf(name);
  await transaction.query({
    // An id that the table makes itself is an id of the backup here.
    text: `insert into ${place} (${list}) overriding system value
      select ${list} from jsonb_populate_recordset(null::${place}, $1::jsonb)`,
    values: [`[${lines.join(',')}]`],
  });
}

async function setSequences(transaction: Transaction, { sequences }: BackupHeader): Promise<void> {
  for (const { name, last } of sequences) {
    if (last === null) continue;
    await transaction.query({
      text: 'select setval($1::regclass, $2::bigint, true)',
      values: [pg.escapeIdentifier(name), last],
    });
  }
}

/** Reads every row back. */
async function compareTables(transaction: Transaction, { tables }: Manifest): Promise<void> {
  for (const table of await tablesOf(transaction)) {
    const digest = new RowsDigest();
    for await (const page of rowsOf(transaction, table)) for (const line of page) digest.add(line);
    const { rows } = digest;
    const expected = tables[table.name] ?? { rows: 0, digest: new RowsDigest().get().digest };
    if (rows === expected.rows && digest.get().digest === expected.digest) continue;
    throw new RestoreError(
      `The table ${table.name} was restored with ${counted(rows, 'row')} instead of the ${counted(expected.rows, 'row')} of the backup. Nothing was changed.`,
    );
  }
}

async function compareMoney(transaction: Transaction, { totals, audit }: Manifest): Promise<void> {
  if (JSON.stringify(await totalsOf(transaction)) !== JSON.stringify(totals))
    throw new RestoreError('The sums of the restored ledger are not those of the backup. Nothing was changed.');
  const found = sumOfAudit(await auditLedger(transaction));
  const expected = audit ?? { isSound: true, faults: 0 };
  if (found.isSound === expected.isSound && found.faults === expected.faults) return;
  throw new RestoreError(
    `The audit of the restored ledger found ${counted(found.faults, 'fault')}, that of the backup ${expected.faults}. Nothing was changed.`,
  );
}
