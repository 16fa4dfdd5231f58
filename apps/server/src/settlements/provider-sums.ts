/** What providers pay to the bank, as their files and lists say it. */
import type { Transaction } from '../database/database.ts';
import type { FileAtWork } from './file-at-work.ts';

/** The sums of one file. */
export interface FileSums {
  /** A query of `reference`, `currency`, `amount` and `day`, each name once. $1 is the operator, $2 the provider and $3 the file. */
  readonly from: string;
  /** From $4. */
  readonly values: readonly unknown[];
  /** The provider reports the sum itself. Otherwise these are parts of it, which may be in two files. */
  readonly isReported: boolean;
}

/**
 * Keeps the sums that a file names. A sum that an earlier file named keeps what it was, for when this file is taken back. The books must be
 * locked, so that no file is taken back meanwhile.
 */
export async function keepSums(
  transaction: Transaction,
  { operatorId, provider, fileId }: Pick<FileAtWork, 'operatorId' | 'provider' | 'fileId'>,
  { from, values, isReported }: FileSums,
): Promise<void> {
  await transaction.query({
    text: `with named as materialized (${from}),
      before as (insert into settlement_batch_before (operator_id, batch_id, file_id, amount, day)
        select $1, batch.id, $3, batch.amount, batch.day from named join settlement_batch batch on batch.operator_id = $1
          and batch.provider = $2 and batch.reference = named.reference and batch.currency = named.currency)
      insert into settlement_batch (operator_id, provider, reference, currency, amount, day, file_id)
      select $1, $2, reference, currency, amount, day, $3 from named
      on conflict on constraint settlement_batch_once do update
        set amount = ${isReported ? 'excluded.amount' : 'settlement_batch.amount + excluded.amount'}, day = excluded.day`,
    values: [operatorId, provider, fileId, ...values],
  });
}
