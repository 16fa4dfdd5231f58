/** What is booked of a payment: each fact once, under the reference that its money has there. */
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type PostingLine, postJournal } from '../ledger/ledger.ts';
import { Contradiction } from '../provider-events/apply-report.ts';

/** The payment that a journal books, and what of it. */
export interface Booked {
  readonly paymentId: string;
  readonly disputeId?: string;
  readonly refundId?: string;
  /** The provider's reference: a fact is booked once per kind. */
  readonly ref: string;
  readonly note?: string;
}

/**
 * Books a fact about a deposit, without the lines that move nothing.
 * @throws Contradiction where it was booked before
 */
export async function book(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  kind: string,
  lines: readonly PostingLine[],
): Promise<void> {
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind,
    depositId: row.id,
    source: row.provider,
    ...booked,
    lines: lines.filter(({ amount }) => amount !== 0n),
  });
  if (result === 'duplicate') throw new Contradiction('booked-before');
}
