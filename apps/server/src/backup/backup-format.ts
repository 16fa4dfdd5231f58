/**
 * The file of a backup: lines of text in UTF-8, compressed by gzip.
 *
 *     #backup {header}       what the rest is made for: schema files, partitions, sequences
 *     #table {table}         then the rows of the table, one JSON object in each line, in no order
 *     {"id":…}
 *     #end {"rows":…}        how many rows the table has, and a digest of them
 *     #manifest {manifest}   the last line: everything that can be checked. A file without it was cut off
 */
import { createHash } from 'node:crypto';

/** The number rises when an older build cannot read the file any more. */
export const FORMAT = 1;

export interface BackedUpFile {
  readonly name: string;
  readonly checksum: string;
}

export interface BackedUpPartition {
  readonly parent: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly until: string;
}

export interface BackedUpSequence {
  readonly name: string;
  /** The last value that was given out; null if none was. */
  readonly last: string | null;
}

/** A table that `archive --keep` has taken out of its parent. */
export interface KeptTable {
  readonly name: string;
  readonly parent: string;
}

export interface BackupHeader {
  readonly format: number;
  /** The version of the cashier that made the backup. */
  readonly version: string;
  /** The time of the snapshot, ISO 8601, UTC. */
  readonly at: string;
  readonly database: 'embedded' | 'postgres';
  /** Such as `15.4`. */
  readonly server: string;
  readonly schema: readonly BackedUpFile[];
  readonly partitions: readonly BackedUpPartition[];
  readonly sequences: readonly BackedUpSequence[];
  readonly kept: readonly KeptTable[];
}

export interface BackedUpTable {
  /** `public` tables by their name, kept ones as `archive.<name>`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** What can be compared of the rows of a table. */
export interface TableSum {
  readonly rows: number;
  /** See {@link RowsDigest}; 64 hexadecimal digits. */
  readonly digest: string;
}

/** All money of one kind of account in one asset, in minor units. */
export interface LedgerTotal {
  readonly asset: string;
  readonly kind: string;
  readonly accounts: number;
  /** The sum of the stored balances; null for kinds of account that store none. */
  readonly balance: string | null;
  readonly postings: string;
}

/** How many faults of each kind the audit found. */
export interface AuditSum {
  readonly isSound: boolean;
  readonly faults: number;
}

export interface Manifest {
  readonly at: string;
  readonly version: string;
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly totals: readonly LedgerTotal[];
  /** Absent: the backup was made without an audit. */
  readonly audit?: AuditSum;
  /** SHA-256 of all lines before this one, uncompressed. */
  readonly sha256: string;
}

const MODULUS = 2n ** 256n;

/** A digest of rows that does not depend on their order: the sum of the SHA-256 of each row, modulo 2^256. */
export class RowsDigest {
  rows = 0;
  #sum = 0n;

  add(line: string): void {
    this.rows += 1;
    this.#sum = (this.#sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
  }

  get(): TableSum {
    return { rows: this.rows, digest: this.#sum.toString(16).padStart(64, '0') };
  }
}

/** The file cannot be used: it was cut off, changed, or is no backup. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/** A part of a backup in the order of the file. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: BackedUpTable }
  | { readonly kind: 'row'; readonly line: string }
  | { readonly kind: 'end'; readonly sum: TableSum }
  | { readonly kind: 'manifest'; readonly manifest: Manifest };

/**
 * Reads the lines of a backup and checks everything that the file alone can prove: its digest, and the sums of each table.
 * @throws BackupFileError at the first line that is wrong, or at the end of a file that was cut off
 */
export async function* readParts(lines: AsyncIterable<string>): AsyncGenerator<BackupPart> {
  const whole = createHash('sha256');
  let digest: RowsDigest | undefined;
  let isFirst = true;
  for await (const line of lines) {
    const part = partOf(line, isFirst);
    isFirst = false;
    if (part.kind === 'manifest') {
      if (part.manifest.sha256 !== whole.digest('hex'))
        throw new BackupFileError('The backup was changed after it was written: its digest is another one.');
      yield part;
      return;
    }
    whole.update(`${line}\n`);
    if (part.kind === 'table') digest = new RowsDigest();
    if (part.kind === 'row') digest?.add(line);
    if (part.kind === 'end') {
      const read = digest?.get();
      if (read?.rows !== part.sum.rows || read.digest !== part.sum.digest)
        throw new BackupFileError('The rows of a table in the backup do not agree with their sum.');
    }
    yield part;
  }
  throw new BackupFileError('The backup was cut off: its last line, the manifest, is missing.');
}

function partOf(line: string, isFirst: boolean): BackupPart {
  const space = line.indexOf(' ');
  const mark = line.startsWith('#') ? line.slice(0, space) : '';
  if (isFirst !== (mark === '#backup')) throw new BackupFileError('This file is no backup of OpenCashier.');
  const value = (): unknown => {
    try {
      return JSON.parse(line.slice(space + 1));
    } catch (error) {
      throw new BackupFileError('A line of the backup cannot be read.', { cause: error });
    }
  };
  if (mark === '') return { kind: 'row', line };
  if (mark === '#table') return { kind: 'table', table: value() as BackedUpTable };
  if (mark === '#end') return { kind: 'end', sum: value() as TableSum };
  if (mark === '#manifest') return { kind: 'manifest', manifest: value() as Manifest };
  if (mark !== '#backup') throw new BackupFileError('A line of the backup cannot be read.');
  const header = value() as BackupHeader;
  if (header.format !== FORMAT)
    throw new BackupFileError(
      `The backup has format ${header.format}, and this version reads format ${FORMAT}. Use version ${header.version}.`,
    );
  return { kind: 'header', header };
}
