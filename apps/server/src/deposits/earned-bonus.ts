/** The bonus of a deposit for its operator (BON-3). */
import { minimumDeposit } from '@opencashier/core/bonus/bonus';
import { bonusAmount } from '@opencashier/core/bonus/bonus-amount';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { DepositRow } from './deposit-row.ts';

/** What a credited deposit earned by the stored terms. An operator that keeps the balances gives this to the user itself. */
export function earnedBonusView({ bonus, credited, currency }: Pick<DepositRow, 'bonus' | 'credited' | 'currency'>): {
  bonusAmount?: string;
  bonusSpins?: number;
} {
  if (bonus === null || credited === null) return {};
  if (bonus.type === 'deposit') {
    const earned = bonusAmount(bonus, { currency, minor: credited })?.minor ?? 0n;
    return { bonusAmount: toDecimalString(earned, decimalsOf(currency)) };
  }
  const minimum = minimumDeposit(bonus);
  const isEarned = minimum !== undefined && credited >= minimum;
  return { bonusSpins: isEarned ? (bonus.freespinBonusData?.count ?? 0) : 0 };
}
