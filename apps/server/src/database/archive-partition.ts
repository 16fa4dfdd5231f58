/**
 * Takes old partitions out of their tables and copies them to files (docs/adr/0022). Every step can be repeated: the row in
 * `archived_partition` says which partitions have left, and whether their files are complete.
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { Database, Queryable, Transaction } from './database.ts';

/** A partition on its way out. */
export interface Leaving {
  readonly name: string;
  readonly parent: string;
  /** The columns of the primary key, which give the order of the file. */
  readonly key: readonly string[];
}

/** The complete file of a partition. */
export interface ArchiveFile {
  readonly file: string;
  readonly rows: number;
  readonly sha256: Buffer;
}

const PAGE = 1_000;

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
    `create trigger archived_immutable before update or delete on ${idOf(name)} for each row execute function refuse_change()`,
    `create trigger archived_not_truncated before truncate on ${idOf(name)} for each statement execute function refuse_change()`,
    `alter table ${idOf(name)} set schema archive`,
  ]) {
    await transaction.query({ text });
  }
}

/** Writes the rows of a detached partition to a file, one line of JSON for each. An incomplete file has another name. */
export async function copyToFile(queryable: Queryable, leaving: Leaving, folder: string): Promise<ArchiveFile> {
  mkdirSync(folder, { recursive: true });
  const file = `${leaving.name}.jsonl`;
  const hash = createHash('sha256');
  let rows = 0;
  const draft = await open(join(folder, `${file}.part`), 'w', 0o600);
  try {
    for await (const page of pagesOf(queryable, leaving)) {
      const bytes = Buffer.from(page.map((line) => `${line}\n`).join(''));
      hash.update(bytes);
      rows += page.length;
      await draft.writeFile(bytes);
    }
    await draft.sync();
  } finally {
    await draft.close();
  }
  const sha256 = hash.digest();
  await readBack(join(folder, `${file}.part`), { rows, sha256 });
  await rename(join(folder, `${file}.part`), join(folder, file));
  await writeChecksum(folder, file, sha256);
  return { file, rows, sha256 };
}

async function* pagesOf(queryable: Queryable, { name, key }: Leaving): AsyncGenerator<readonly string[]> {
  const columns = key.join(', ');
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await queryable.query<{ line: string; place: readonly unknown[] }>({
      text: `select to_jsonb(stored)::text as line, array[${key.map((column) => `${column}::text`).join(', ')}] as place
        from ${placeOf(name)} stored
        ${after === undefined ? '' : `where (${columns}) > (${key.map((_, n) => `$${n + 1}`).join(', ')})`}
        order by ${columns} limit ${PAGE}`,
      ...(after !== undefined && { values: after }),
    });
    if (rows.length === 0) return;
    yield rows.map(({ line }) => line);
    after = rows.at(-1)?.place;
  }
}

/** @throws Error if the file on the disk is not what was written */
async function readBack(path: string, written: { readonly rows: number; readonly sha256: Buffer }): Promise<void> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    JSON.parse(line);
    rows += 1;
  }
  if (rows === written.rows && hash.digest().equals(written.sha256)) return;
  throw new Error(`${path} was written, but reads back with other content. Nothing was dropped.`);
}

/** As `sha256sum --check` reads it. The folder is synced, so that a power cut cannot lose the names. */
async function writeChecksum(folder: string, file: string, sha256: Buffer): Promise<void> {
  const sums = await open(join(folder, `${file}.sha256`), 'w', 0o600);
  try {
    await sums.writeFile(`${sha256.toString('hex')}  ${file}\n`);
    await sums.sync();
  } finally {
    await sums.close();
  }
  const place = await open(folder, 'r');
  try {
    await place.sync();
  } finally {
    await place.close();
  }
}

/** Drops a copied partition, or keeps it in the schema `archive`, and closes its row. */
export async function finishPartition(
  database: Database,
  name: string,
  { file, rows, sha256 }: ArchiveFile,
  isKept: boolean,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!isKept) await transaction.query({ text: `drop table ${placeOf(name)}` });
    await transaction.query({
      text: `update archived_partition set file = $2, rows = $3, sha256 = $4, is_kept = $5, finished_at = now()
        where name = $1 and finished_at is null`,
      values: [name, file, rows, sha256, isKept],
    });
  });
}
