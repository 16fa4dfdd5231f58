import type { Transaction } from '../database/database.ts';
import type { PostingLine } from './ledger.ts';

/** A journal by one of its keys (`journal_keys` in schema/ledger.sql). */
export interface JournalKey {
  readonly operatorId: string;
  readonly source: string;
  readonly ref: string;
  readonly kind: string;
}

/**
 * The lines of a booked journal; none if there is no such journal. Of a journal in an archived month, the lines that stayed.
 *
 * Two statements, because a plan with the id of the journal leaves out the partitions of all other months. A join would plan for all.
 */
export async function bookedLines(
  transaction: Transaction,
  { operatorId, source, ref, kind }: JournalKey,
): Promise<PostingLine[]> {
  const [key] = await transaction.query<{ journalId: string }>({
    name: 'ledger-key',
    text: `select journal_id as "journalId" from journal_key
      where operator_id = $1 and ref = $2 and source = $3 and kind = $4`,
    values: [operatorId, ref, source, kind],
  });
  if (key === undefined) return [];
  return transaction.query<PostingLine>({
    name: 'ledger-lines',
    text: `select account.owner, account.asset, account.kind, posting.amount from (
        select account_id, amount from known_posting where operator_id = $1 and journal_id = $2 offset 0) posting
      -- The planner expects lines in each month, and would read all accounts of the operator for so many. \`offset 0\` lets it only search.
      cross join lateral (select * from account where operator_id = $1 and id = posting.account_id offset 0) account`,
    values: [operatorId, key.journalId],
  });
}
