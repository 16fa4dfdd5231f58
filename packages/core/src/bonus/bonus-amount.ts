import type { Bonus } from '@opencashier/contract/api';
import { compare, factorFromNumber, percent } from '../money/arithmetic.ts';
import { decimalsOf } from '../money/currencies.ts';
import { type Money, parseDecimal } from '../money/money.ts';
import { minimumDeposit } from './bonus.ts';

/**
 * The money that a deposit bonus adds to a deposit (BON-3). The amount is exact and rounded down:
 * the deposit, capped at `maxBonusAmount`, times percent / 100.
 * @returns undefined when the bonus gives no money: free spins, another currency, or a deposit below the minimum
 */
export function bonusAmount(bonus: Bonus, deposit: Money): Money | undefined {
  const { depositBonusData: data, currency } = bonus;
  if (bonus.type !== 'deposit' || data === undefined || currency !== deposit.currency) return undefined;
  const minimum = minimumDeposit(bonus);
  const top = parseDecimal(data.maxBonusAmount, decimalsOf(currency));
  const share = factorFromNumber(data.percent);
  if (minimum === undefined || deposit.minor < minimum || !top.ok || share === undefined) return undefined;
  const most = { currency, minor: top.minor };
  return percent(compare(deposit, most) > 0 ? most : deposit, share, 'down');
}
