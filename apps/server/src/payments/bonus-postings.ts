/**
 * The bonus of a deposit in the ledger. The journal that credits the deposit grants the bonus; a refund or chargeback
 * takes it back.
 */
import { bonusAmount } from '@opencashier/core/bonus/bonus-amount';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { bookedLines } from '../ledger/booked-lines.ts';
import { accountBalance, type PostingLine } from '../ledger/ledger.ts';

/**
 * The lines that grant the bonus.
 * @param paid minor units that are credited; the bonus is computed from them
 */
export function bonusLines(row: DepositRow, paid: bigint): PostingLine[] {
  const bonus = row.bonus === null ? undefined : bonusAmount(row.bonus, { currency: row.currency, minor: paid });
  return bonus === undefined || bonus.minor === 0n ? [] : linesOf(row, bonus.minor);
}

/** The lines that take back the rest of the bonus. The operator bears the played part; it never becomes a debt. */
export async function bonusReversalLines(transaction: Transaction, row: DepositRow): Promise<PostingLine[]> {
  if (row.bonus === null) return [];
  const credit = { operatorId: row.operatorId, source: 'deposit', ref: row.id, kind: 'one_credit' };
  const granted = (await bookedLines(transaction, credit)).find(({ kind }) => kind === 'bonus');
  if (granted === undefined) return [];
  // The caller holds the lock of the user's account. Every posting to a bonus account needs this lock.
  const left = await accountBalance(transaction, row.operatorId, {
    owner: row.userId,
    asset: row.currency,
    kind: 'bonus',
  });
  let reversed = granted.amount;
  if (left < reversed) reversed = left;
  return reversed === 0n ? [] : linesOf(row, -reversed);
}

function linesOf(row: DepositRow, amount: bigint): PostingLine[] {
  return [
    { owner: '', asset: row.currency, kind: 'bonus_expense', amount: -amount },
    { owner: row.userId, asset: row.currency, kind: 'bonus', amount },
  ];
}
