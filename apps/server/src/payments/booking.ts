/** Books facts about a payment. Each fact is booked once, under the provider's reference of the money. */
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type PostingLine, postJournal } from '../ledger/ledger.ts';
import { Contradiction } from '../provider-events/apply-report.ts';

/** The rows that a journal books. */
export interface Booked {
  readonly paymentId: string;
  readonly disputeId?: string;
  readonly refundId?: string;
  /** The provider's reference. One kind of journal is booked once per reference. */
  readonly ref: string;
  readonly note?: string;
}

/**
 * Books a fact about a deposit. Lines of zero are left out.
 * @throws Contradiction if the fact was booked before
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
