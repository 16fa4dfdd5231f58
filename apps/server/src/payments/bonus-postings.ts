/** The bonus of a deposit in the ledger: given in the journal that credits the deposit, taken back in the one that reverses it. */
import { bonusAmount } from '@opencashier/core/bonus/bonus-amount';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { accountBalance, type PostingLine } from '../ledger/ledger.ts';

/** @param paid what was really paid and is being credited, in minor units: the bonus is of that */
export function bonusLines(row: DepositRow, paid: bigint): PostingLine[] {
  const bonus = row.bonus === null ? undefined : bonusAmount(row.bonus, { currency: row.currency, minor: paid });
  return bonus === undefined || bonus.minor === 0n ? [] : linesOf(row, bonus.minor);
}

/** Takes back what is left of it: what was played is the operator's loss, never a debt. */
export async function bonusBackLines(transaction: Transaction, row: DepositRow): Promise<PostingLine[]> {
  if (row.bonus === null) return [];
  const [given] = await transaction.query<{ amount: bigint }>({
    text: `select posting.amount from journal join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id
      where journal.deposit_id = $1 and journal.kind = 'deposit_credit' and account.kind = 'bonus'`,
    values: [row.id],
  });
  if (given === undefined) return [];
  // The caller holds the lock of the user's account, and every posting to a bonus is made under it.
  const left = await accountBalance(transaction, row.operatorId, {
    owner: row.userId,
    asset: row.currency,
    kind: 'bonus',
  });
  let taken = given.amount;
  if (left < taken) taken = left;
  return taken === 0n ? [] : linesOf(row, -taken);
}

function linesOf(row: DepositRow, amount: bigint): PostingLine[] {
  return [
    { owner: '', asset: row.currency, kind: 'bonus_expense', amount: -amount },
    { owner: row.userId, asset: row.currency, kind: 'bonus', amount },
  ];
}
