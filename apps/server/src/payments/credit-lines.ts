/** The credit of a deposit: money and bonus for the user, or the coins of a box. */
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import type { PostingLine } from '../ledger/ledger.ts';
import { isKeptByOperator } from '../operator-wallet/wallet-mode.ts';
import { boxCreditLines } from '../sweepstake/box-postings.ts';
import { bonusLines } from './bonus-postings.ts';

/**
 * The credit lines of the journal. The caller adds the line of the money's source.
 * @param paid the paid amount in minor units
 * @param isOperators true: the operator keeps the balances, so it gives the bonus, too
 */
export function creditLines(row: DepositRow, paid: bigint, isOperators: boolean): PostingLine[] {
  if (row.box !== null) return boxCreditLines(row, row.box, paid);
  const bonus = isOperators ? [] : bonusLines(row, paid);
  return [{ owner: row.userId, asset: row.currency, kind: 'user', amount: paid }, ...bonus];
}

/** {@link creditLines}, by whose balance counts until the end of the transaction. */
export async function creditLinesNow(transaction: Transaction, row: DepositRow, paid: bigint): Promise<PostingLine[]> {
  return creditLines(row, paid, row.bonus !== null && (await isKeptByOperator(transaction, row)));
}
