/** A file that is being imported. */
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Scan } from './scan-file.ts';

export interface FileAtWork extends Omit<Scan, 'lastDayAt' | 'format'> {
  readonly operatorId: string;
  readonly fileId: string;
  readonly provider: string;
  readonly source: 'provider' | 'bank';
  /** Payments of other connections are no part of the list or the file. Absent: a file of all accounts. */
  readonly connectionId?: string | undefined;
  readonly lease: FileLease;
}

/** The hold of a file by one import. */
export interface FileLease {
  /** Until when, as a text of the database with all its digits. Each step moves it. */
  until: string;
}

/** How long nobody else may continue a file after its last step. */
const LEASE = `interval '2 minutes'`;

/** Takes a file that nobody holds. The row must be locked. */
export async function takeFile(transaction: Transaction, operatorId: string, fileId: string): Promise<FileLease> {
  const [row] = await transaction.query<FileLease>({
    name: 'settlement-take',
    text: `update settlement_file set busy_until = clock_timestamp() + ${LEASE} where operator_id = $1 and id = $2
      returning busy_until::text as until`,
    values: [operatorId, fileId],
  });
  if (row === undefined) throw new Error(`Settlement file ${fileId} no longer exists`);
  return row;
}

/**
 * Keeps the file for this import for two more minutes. An import that stood still for longer, such as on a computer that slept, may have
 * lost the file to another one, which has taken its lines or matches away. What it still wrote would count twice.
 * @throws DomainError state-conflict
 */
export async function holdFile(transaction: Transaction, { operatorId, fileId, lease }: FileAtWork): Promise<void> {
  const [row] = await transaction.query<FileLease>({
    name: 'settlement-hold',
    // A step that was rolled back leaves an earlier time in the row, and another import a later one.
    text: `update settlement_file set busy_until = clock_timestamp() + ${LEASE}
      where operator_id = $1 and id = $2 and busy_until <= $3::timestamptz returning busy_until::text as until`,
    values: [operatorId, fileId, lease.until],
  });
  if (row === undefined) {
    const message = 'This import stood still for more than two minutes, and another one has the file now.';
    throw new DomainError('state-conflict', message);
  }
  lease.until = row.until;
}
