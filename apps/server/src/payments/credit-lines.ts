/** Who gets what of a deposit that is credited: the user the money and its bonus, or the coins of the box that it buys. */

import type { DepositRow } from '../deposits/deposit-row.ts';
import type { PostingLine } from '../ledger/ledger.ts';
import { boxCreditLines } from '../sweepstake/box-postings.ts';
import { bonusLines } from './bonus-postings.ts';

/**
 * The lines of the journal beside the one that the money comes from.
 * @param paid what was really paid, in minor units
 */
export function creditLines(row: DepositRow, paid: bigint): PostingLine[] {
  if (row.box !== null) return boxCreditLines(row, row.box, paid);
  return [{ owner: row.userId, asset: row.currency, kind: 'user', amount: paid }, ...bonusLines(row, paid)];
}
