/**
 * What lies in suspense for a deposit: its own payment, payments more than it was opened for, and money of it that had left and is
 * there again. Each lies there under a reference of its own, and each has a review of its own.
 */
import type { Transaction } from '../database/database.ts';
import type { PostingLine } from '../ledger/ledger.ts';
import { Contradiction } from './booking.ts';
import type { DepositRow } from './deposit-row.ts';
import { moveDeposit } from './deposit-store.ts';

/** The journal's own word for money that had left and is there again. */
export const RETURNED = 'returned';

/** The way back of what came under a reference. */
export async function suspendedLines(transaction: Transaction, row: DepositRow, ref: string): Promise<PostingLine[]> {
  const lines = await transaction.query<PostingLine>({
    name: 'deposit-suspended-lines',
    text: `select account.owner, account.asset, account.kind, -posting.amount as amount
      from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
      where journal.deposit_id = $1 and journal.kind = 'suspense_in' and journal.ext_source = $2 and journal.ext_ref = $3`,
    values: [row.id, row.provider, ref],
  });
  if (lines.length === 0) throw new Contradiction('nothing-in-suspense');
  return lines;
}

/** A payment that lies there beside the deposit's own. */
export interface PaymentBeside {
  readonly ref: string;
  readonly isReturned: boolean;
}

/** The oldest first. */
export async function paymentsBeside(transaction: Transaction, row: DepositRow): Promise<PaymentBeside[]> {
  return transaction.query<PaymentBeside>({
    name: 'deposit-payments-beside',
    text: `select ext_ref as ref, note is not distinct from $3 as "isReturned" from journal
      where deposit_id = $1 and kind = 'suspense_in' and ext_ref is distinct from $2
        and not exists (select 1 from journal back where back.kind = 'suspense_out'
          and back.ext_source = journal.ext_source and back.ext_ref = journal.ext_ref)
      order by at, ext_ref`,
    values: [row.id, row.providerRef, RETURNED],
  });
}

/** Of what the open review is: one of the payments beside, or undefined where it is of the deposit's own. */
export async function underReview(transaction: Transaction, row: DepositRow): Promise<PaymentBeside | undefined> {
  if (row.review !== 'second-payment' && row.review !== 'returned') return undefined;
  const isReturned = row.review === 'returned';
  const beside = await paymentsBeside(transaction, row);
  const found = beside.find((one) => one.ref === row.reviewRef) ?? beside.find((one) => one.isReturned === isReturned);
  if (found === undefined) throw new Error(`Deposit ${row.id} is under review, and nothing lies there`);
  return found;
}

/** What came while another review was open has a review of its own when that one ends. @param row after its end */
export async function reviewNext(transaction: Transaction, row: DepositRow, cause: string): Promise<DepositRow> {
  const [next] = await paymentsBeside(transaction, row);
  if (next === undefined) return row;
  return moveDeposit(transaction, row, {
    to: row.state,
    cause,
    review: next.isReturned ? 'returned' : 'second-payment',
    reviewRef: next.ref,
    ...(!next.isReturned && { reason: 'transaction.reason.second-payment' }),
  });
}
