/** Takes away what a settlement file settled, as if it had never been imported. Its lines and its mismatches stay as evidence. */
import { cashierName } from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';

/** Rows of one statement, so that it ends in time. */
const ROWS_AT_ONCE = 50_000;

/**
 * Two people must have agreed, and nothing may stand in the way. The database refuses each of these steps before the file is `taken-back`.
 * Mismatches move before bookings are rejected: a proposal that is being written holds its mismatch, and is seen afterwards.
 */
export async function undoFile(transaction: Transaction, operatorId: string, fileId: string): Promise<void> {
  const values = [operatorId, fileId];
  await transaction.query({
    text: `update settlement_file set state = 'taken-back' where operator_id = $1 and id = $2`,
    values,
  });
  const step = (text: string) => inParts(transaction, values, text);
  await step(`delete from settlement_match where operator_id = $1 and line_id in (select line.id from settlement_line line
    join settlement_match match on match.operator_id = $1 and match.line_id = line.id
    where line.operator_id = $1 and line.file_id = $2 limit ${ROWS_AT_ONCE})`);
  // Lines of earlier files, whose entries this file has found.
  await step(`delete from settlement_match where operator_id = $1 and line_id in (select match.line_id from settlement_mismatch missing
    join settlement_match match on match.operator_id = $1 and match.line_id = missing.line_id
    where missing.operator_id = $1 and missing.cleared_by = $2 and missing.class = 'missing-here' and missing.file_id <> $2
    limit ${ROWS_AT_ONCE})`);
  await step(`update settlement_mismatch set state = 'open', ended_at = null, cleared_by = null where operator_id = $1 and id in (
    select id from settlement_mismatch where operator_id = $1 and cleared_by = $2 and file_id <> $2 limit ${ROWS_AT_ONCE})`);
  await step(`update settlement_mismatch set state = 'taken-back', ended_at = coalesce(ended_at, now()) where operator_id = $1 and id in (
    select id from settlement_mismatch where operator_id = $1 and file_id = $2 and state <> 'taken-back' limit ${ROWS_AT_ONCE})`);
  await transaction.query({
    text: `update settlement_booking set state = 'rejected', decided_by = $3, decided_at = now()
      where operator_id = $1 and file_id = $2 and state = 'proposed'`,
    values: [...values, cashierName],
  });
  await transaction.query({
    text: `update settlement_batch batch set amount = before.amount, day = before.day from settlement_batch_before before
      where before.operator_id = $1 and before.file_id = $2 and batch.operator_id = $1 and batch.id = before.batch_id`,
    values,
  });
  await transaction.query({ text: 'delete from settlement_batch where operator_id = $1 and file_id = $2', values });
}

async function inParts(transaction: Transaction, values: readonly string[], text: string): Promise<void> {
  for (let moved = ROWS_AT_ONCE; moved === ROWS_AT_ONCE; ) {
    const [row] = await transaction.query<{ n: number }>({
      text: `with moved as (${text} returning 1) select count(*)::int as n from moved`,
      values: [...values],
    });
    moved = row?.n ?? 0;
  }
}
