/** The credit of a deposit: money and bonus for the user, or the coins of a box. */

import type { DepositRow } from '../deposits/deposit-row.ts';
import type { PostingLine } from '../ledger/ledger.ts';
import { boxCreditLines } from '../sweepstake/box-postings.ts';
import { bonusLines } from './bonus-postings.ts';

/**
 * The credit lines of the journal. The caller adds the line of the money's source.
 * @param paid the paid amount in minor units
 */
export function creditLines(row: DepositRow, paid: bigint): PostingLine[] {
  if (row.box !== null) return boxCreditLines(row, row.box, paid);
  return [{ owner: row.userId, asset: row.currency, kind: 'user', amount: paid }, ...bonusLines(row, paid)];
}
