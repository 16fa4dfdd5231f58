/** What a provider's report is booked as: each fact once, under the reference that its money has there. */
import type { Transaction } from '../database/database.ts';
import { type PostingLine, postJournal } from '../ledger/ledger.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import type { DepositRow } from './deposit-row.ts';

/** A fact that our own books contradict: parked, for people. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/**
 * Books a fact about a deposit, without the lines that move nothing.
 * @throws Contradiction where it was booked before
 */
export async function book(
  transaction: Transaction,
  row: DepositRow,
  { providerRef: ref }: Pick<ProviderEvidence, 'providerRef'>,
  kind: string,
  lines: readonly PostingLine[],
  note?: string,
): Promise<void> {
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind,
    depositId: row.id,
    source: row.provider,
    ref,
    ...(note !== undefined && { note }),
    lines: lines.filter(({ amount }) => amount !== 0n),
  });
  if (result === 'duplicate') throw new Contradiction('booked-before');
}
