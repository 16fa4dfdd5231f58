/** Payments more than a deposit was opened for: they belong to no deposit, and lie in suspense under references of their own. */
import type { Transaction } from '../database/database.ts';
import type { PostingLine } from '../ledger/ledger.ts';
import type { DepositRow } from './deposit-row.ts';
import { moveDeposit } from './deposit-store.ts';

/** The way back of what still lies there, with the reference of each payment. */
export async function secondPaymentLines(
  transaction: Transaction,
  row: DepositRow,
): Promise<(PostingLine & { readonly ref: string })[]> {
  return transaction.query<PostingLine & { ref: string }>({
    text: `select journal.ext_ref as ref, account.owner, account.asset, account.kind, -posting.amount as amount
      from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
      where journal.deposit_id = $1 and journal.kind = 'suspense_in' and journal.ext_ref is distinct from $2
        and not exists (select 1 from journal back where back.kind = 'suspense_out'
          and back.ext_source = journal.ext_source and back.ext_ref = journal.ext_ref)`,
    values: [row.id, row.providerRef],
  });
}

/** What came while another review was open has a review of its own when that one ends. @param row after its end */
export async function reviewSecondPayments(
  transaction: Transaction,
  row: DepositRow,
  cause: string,
): Promise<DepositRow> {
  if ((await secondPaymentLines(transaction, row)).length === 0) return row;
  const reason = 'transaction.reason.second-payment';
  return moveDeposit(transaction, row, { to: row.state, cause, review: 'second-payment', reason });
}
