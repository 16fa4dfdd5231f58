/** A file that is being imported. */
import type { Transaction } from '../database/database.ts';
import type { Scan } from './scan-file.ts';

export interface FileAtWork extends Omit<Scan, 'lastDayAt'> {
  readonly operatorId: string;
  readonly fileId: string;
  readonly provider: string;
  readonly source: 'provider' | 'bank';
  /** Payments of other connections are no part of the list or the file. Absent: a file of all accounts. */
  readonly connectionId?: string | undefined;
}

/** How long nobody else may continue a file after its last step. */
const LEASE = `interval '2 minutes'`;

/** Keeps the file for this node for two more minutes. */
export async function holdFile(transaction: Transaction, operatorId: string, fileId: string): Promise<void> {
  await transaction.query({
    name: 'settlement-hold',
    text: `update settlement_file set busy_until = clock_timestamp() + ${LEASE} where operator_id = $1 and id = $2`,
    values: [operatorId, fileId],
  });
}
