/** Writes a backup of a database in use: one snapshot of all tables, in one file. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database, Transaction } from '../database/database.ts';
import { linkNew, syncFolder } from '../database/new-files.ts';
import { schema } from '../database/schema-files.ts';
import { newerDatabase, newerThan, readApplied } from '../database/schema-state.ts';
import { auditLedger, countFaults, type LedgerAudit } from '../ledger/ledger-audit.ts';
import { type AuditSum, type BackupHeader, FORMAT, type Manifest, RowsDigest, type TableSum } from './backup-format.ts';
import { keptTablesOf, lockTables, partitionsOf, rowsOf, sequencesOf, tablesOf, totalsOf } from './read-tables.ts';

export interface BackupOptions {
  /** Whether the ledger is audited in the same snapshot. The audit reads every posting. */
  readonly hasAudit: boolean;
  /** Called when a table with rows is written. */
  readonly onTable?: (name: string, rows: number) => void;
}

/** The database cannot be backed up by this build. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * Writes a backup to a file that does not exist yet. The file appears under its name only when it is complete and on the disk.
 * @throws BackupError when the file exists, or when the database is of another version
 */
export async function writeBackupFile(database: Database, path: string, options: BackupOptions): Promise<Manifest> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    // The money of everybody: nobody but the owner of the file reads it. It is synced to the disk before it is closed.
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const manifest = await writeBackup(database, file, options);
    if (!(await linkNew(draft, path)))
      throw new BackupError(`${path} exists. It was not overwritten. Choose another name.`);
    await syncFolder(dirname(path));
    return manifest;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Writes a backup to a stream and ends it. Nodes work on meanwhile: on PostgreSQL the snapshot stops nobody, on the embedded database
 * the transaction has the only connection.
 * @throws BackupError when the database is of another version
 */
export async function writeBackup(
  database: Database,
  target: NodeJS.WritableStream,
  options: BackupOptions,
): Promise<Manifest> {
  const tables = await tablesOf(database);
  return await database.transaction(async (transaction) => {
    // Read only, so that the database never asks to repeat this transaction.
    await transaction.query({ text: 'set transaction isolation level repeatable read, read only' });
    await transaction.query({ text: 'set local statement_timeout = 0' });
    await transaction.query({ text: 'set local idle_in_transaction_session_timeout = 0' });
    await transaction.query({ text: `set local timezone = 'UTC'` });
    await lockTables(transaction, tables);
    const locked = await tablesOf(transaction);
    if (JSON.stringify(locked) !== JSON.stringify(tables))
      throw new BackupError('The tables changed while the backup began. Start it again.');
    const parts = linesOf(transaction, database.kind, locked, options);
    let manifest: Manifest | undefined;
    const source = async function* (): AsyncGenerator<Buffer> {
      for await (const { bytes, written } of parts) {
        manifest = written ?? manifest;
        yield bytes;
      }
    };
    await pipeline(Readable.from(source()), createGzip(), target);
    if (manifest === undefined) throw new Error('The backup has no manifest.');
    return manifest;
  });
}

interface Part {
  readonly bytes: Buffer;
  readonly written?: Manifest;
}

async function* linesOf(
  transaction: Transaction,
  kind: Database['kind'],
  tables: Awaited<ReturnType<typeof tablesOf>>,
  { hasAudit, onTable = () => undefined }: BackupOptions,
): AsyncGenerator<Part> {
  const whole = createHash('sha256');
  const counted = (text: string): Part => {
    const bytes = Buffer.from(text);
    whole.update(bytes);
    return { bytes };
  };
  const header = await headerOf(transaction, kind);
  yield counted(`#backup ${JSON.stringify(header)}\n`);
  const sums: Record<string, TableSum> = {};
  for (const table of tables) {
    const { name, columns } = table;
    yield counted(`#table ${JSON.stringify({ name, columns })}\n`);
    const digest = new RowsDigest();
    for await (const page of rowsOf(transaction, table)) {
      for (const line of page) digest.add(line);
      yield counted(page.map((line) => `${line}\n`).join(''));
    }
    const sum = digest.get();
    sums[name] = sum;
    yield counted(`#end ${JSON.stringify(sum)}\n`);
    if (sum.rows > 0) onTable(name, sum.rows);
  }
  const audit = hasAudit ? await auditLedger(transaction) : undefined;
  const written: Manifest = {
    at: header.at,
    version: header.version,
    tables: sums,
    totals: await totalsOf(transaction),
    ...(audit && { audit: sumOfAudit(audit) }),
    sha256: whole.digest('hex'),
  };
  yield { bytes: Buffer.from(`#manifest ${JSON.stringify(written)}\n`), written };
}

async function headerOf(transaction: Transaction, kind: Database['kind']): Promise<BackupHeader> {
  const applied = await readApplied(transaction);
  if (applied.size === 0) throw new BackupError('The database has no tables. There is nothing to back up.');
  const newer = newerThan(schema, applied);
  const refusal =
    newerDatabase(newer, schema.version) ??
    // This build could not restore what it does not know.
    (newer.accepted.length > 0
      ? `A newer build has applied ${newer.accepted.join(', ')}. Back up with it.`
      : undefined);
  if (refusal !== undefined) throw new BackupError(refusal);
  const [about] = await transaction.query<{ at: Date; server: string }>({
    text: `select now() as at, current_setting('server_version') as server`,
  });
  if (about === undefined) throw new Error('The database did not tell its time.');
  return {
    format: FORMAT,
    version: schema.version,
    at: about.at.toISOString(),
    database: kind,
    server: about.server,
    schema: [...applied.values()].map(({ name, checksum }) => ({ name, checksum })),
    partitions: await partitionsOf(transaction),
    sequences: await sequencesOf(transaction),
    kept: await keptTablesOf(transaction),
  };
}

/** What a manifest says of an audit, for a comparison before and after. */
export function sumOfAudit(audit: LedgerAudit): AuditSum {
  return { isSound: audit.isSound, faults: countFaults(audit) };
}
