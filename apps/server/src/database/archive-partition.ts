/**
 * Takes old partitions out of their tables and copies them to files (docs/adr/0022). Every step can be repeated: the row in
 * `archived_partition` says which partitions have left, and whether their files are complete.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { linesOf } from './byte-lines.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { linkNew, syncFolder } from './new-files.ts';

/** A partition on its way out. */
export interface Leaving {
  readonly name: string;
  readonly parent: string;
  /** The columns of the primary key, which give the order of the file. */
  readonly key: readonly string[];
  /** The rows that are held in memory together; few by default, because a callback can be large. */
  readonly page?: number;
}

/** The complete file of a partition. */
export interface ArchiveFile {
  readonly file: string;
  readonly rows: number;
  readonly sha256: Buffer;
}

/** A callback can have 512 kB as hexadecimal text, and a page is held in memory. */
const PAGE = 50;

const idOf = (name: string): string => pg.escapeIdentifier(name);
const placeOf = (name: string): string => `archive.${idOf(name)}`;

/**
 * Detaches a partition and moves it to the schema `archive`, in the caller's transaction. A detached table loses the triggers that
 * came from its parent, so it gets its own.
 */
export async function detachPartition(transaction: Transaction, { name, parent }: Leaving): Promise<void> {
  await transaction.query({
    text: `insert into archived_partition (name, parent, since, until)
      select name, parent, since, until from time_partition where name = $1`,
    values: [name],
  });
  for (const text of [
    'create schema if not exists archive',
    `alter table ${idOf(parent)} detach partition ${idOf(name)}`,
    ...archivedTriggers(idOf(name)),
    ...(await foreignKeysOf(transaction, name)).map((key) => `alter table ${idOf(name)} drop constraint ${idOf(key)}`),
    `alter table ${idOf(name)} set schema archive`,
  ]) {
    await transaction.query({ text });
  }
}

/** The statements that make a table of an archived month immutable. @param place its escaped name */
export function archivedTriggers(place: string): readonly string[] {
  return [
    `create trigger archived_immutable before update or delete on ${place} for each row execute function refuse_change()`,
    `create trigger archived_not_truncated before truncate on ${place} for each statement execute function refuse_change()`,
  ];
}

/** With a foreign key, the later drop of the table would lock the tables that it references, without a limit of time. */
async function foreignKeysOf(transaction: Transaction, name: string): Promise<readonly string[]> {
  const rows = await transaction.query<{ key: string }>({
    text: `select conname as key from pg_constraint where conrelid = to_regclass($1) and contype = 'f'`,
    values: [idOf(name)],
  });
  return rows.map(({ key }) => key);
}

/**
 * Writes the rows of a detached partition to a file, one line of JSON for each. The same rows give the same bytes. The draft has a name
 * of its own in each run, so two runs never write to one file.
 * @throws Error if the folder has a file of this name with other content
 */
export async function copyToFile(queryable: Queryable, leaving: Leaving, folder: string): Promise<ArchiveFile> {
  mkdirSync(folder, { recursive: true });
  const file = `${leaving.name}.jsonl`;
  const hash = createHash('sha256');
  let rows = 0;
  const sha256 = await publish(folder, file, async (draft, path) => {
    for await (const page of pagesOf(queryable, leaving)) {
      const bytes = Buffer.from(page.map((line) => `${line}\n`).join(''));
      hash.update(bytes);
      rows += page.length;
      await draft.writeFile(bytes);
    }
    await draft.sync();
    const written = hash.digest();
    await readBack(path, { rows, sha256: written });
    return written;
  });
  // As `sha256sum --check` reads it.
  const line = Buffer.from(`${sha256.toString('hex')}  ${file}\n`);
  await publish(folder, `${file}.sha256`, async (draft) => {
    await draft.writeFile(line);
    await draft.sync();
    return createHash('sha256').update(line).digest();
  });
  await syncFolder(folder);
  return { file, rows, sha256 };
}

/**
 * Writes a draft and gives it the name of the file, which is never overwritten: another cell may have archived its month there.
 * @param write returns the SHA-256 of the draft
 */
async function publish(
  folder: string,
  file: string,
  write: (draft: FileHandle, path: string) => Promise<Buffer>,
): Promise<Buffer> {
  const place = join(folder, file);
  const path = `${place}.${randomUUID()}.part`;
  const draft = await open(path, 'wx', 0o600);
  try {
    const sha256 = await write(draft, path).finally(() => draft.close());
    if ((await linkNew(path, place)) || (await hashOf(place)).equals(sha256)) return sha256;
    throw new Error(
      `${place} exists with other content, perhaps of another cell. It was not overwritten, and no table was dropped. Run the command again with another folder.`,
    );
  } finally {
    await unlink(path);
  }
}

async function hashOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
}

async function* pagesOf(queryable: Queryable, { name, key, page = PAGE }: Leaving): AsyncGenerator<readonly string[]> {
  const columns = key.join(', ');
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await queryable.query<{ line: string; place: readonly unknown[] }>({
      text: `select to_jsonb(stored)::text as line, array[${key.map((column) => `${column}::text`).join(', ')}] as place
        from ${placeOf(name)} stored
        ${after === undefined ? '' : `where (${columns}) > (${key.map((_, n) => `$${n + 1}`).join(', ')})`}
        order by ${columns} limit ${page}`,
      ...(after !== undefined && { values: after }),
    });
    if (rows.length === 0) return;
    yield rows.map(({ line }) => line);
    after = rows.at(-1)?.place;
  }
}

/** @throws Error if the file on the disk is not what was written */
async function readBack(path: string, written: { readonly rows: number; readonly sha256: Buffer }): Promise<void> {
  let rows = 0;
  for await (const line of linesOf(createReadStream(path))) {
    JSON.parse(line);
    rows += 1;
  }
  if (rows === written.rows && (await hashOf(path)).equals(written.sha256)) return;
  throw new Error(`${path} was written, but reads back with other content. Nothing was dropped.`);
}

/**
 * Drops a copied partition, or keeps it in the schema `archive`, and closes its row.
 * @throws Error if another run has closed the row: its file, and not ours, is the one that the row names
 */
export async function finishPartition(
  database: Database,
  name: string,
  { file, rows, sha256 }: ArchiveFile,
  isKept: boolean,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const [closed] = await transaction.query({
      text: `update archived_partition set file = $2, rows = $3, sha256 = $4, is_kept = $5, finished_at = now()
        where name = $1 and finished_at is null returning 1`,
      values: [name, file, rows, sha256, isKept],
    });
    if (closed === undefined) throw new Error(`Another run has already archived ${name}. Nothing was dropped.`);
    if (!isKept) await transaction.query({ text: `drop table ${placeOf(name)}` });
  });
}

/** An arbitrary constant: the number of our lock among the database's advisory locks. */
const LOCK = 4_726_003;

/**
 * Runs `work` while no other process archives months of this database. The lock has a connection of its own, in a transaction that waits
 * without a snapshot, so it does not hold up vacuum. The embedded database has one connection, and its folder belongs to one process.
 * @returns undefined if another process has the lock
 */
export async function whileOnlyArchive<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  if (database.kind === 'embedded') return { result: await work() };
  let running: Promise<Result> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local idle_in_transaction_session_timeout = 0' });
    const [lock] = await transaction.query<{ taken: boolean }>({
      text: 'select pg_try_advisory_xact_lock($1) as taken',
      values: [LOCK],
    });
    if (lock?.taken !== true) return;
    running = work();
    // An error of the work is thrown below, since this transaction would repeat the work after a deadlock.
    await running.catch(() => undefined);
  });
  return running === undefined ? undefined : { result: await running };
}

/**
 * Keeps every archive away until the transaction ends. Several transactions may do so at once.
 * @returns false while months are archived
 */
export async function keepArchiveAway(transaction: Transaction): Promise<boolean> {
  const [lock] = await transaction.query<{ taken: boolean }>({
    text: 'select pg_try_advisory_xact_lock_shared($1) as taken',
    values: [LOCK],
  });
  return lock?.taken === true;
}
