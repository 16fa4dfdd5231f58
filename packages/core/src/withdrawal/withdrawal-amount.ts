import { type AmountError, checkAmount } from '../limits/check-amount.ts';
import type { Limits } from '../limits/limits.ts';
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';

/** The amount is more than the balance (WD-3). */
export const BALANCE_EXCEEDED_KEY = 'form.amountInput.limit.balance';

/**
 * Checks the amount of a withdrawal (WD-3), the same in the widget and on the server: never more than the balance, and within
 * the method's limits. The ledger alone decides in the end.
 * @param balance canonical decimal string in the currency of `limits`
 */
export function checkWithdrawalAmount(
  canonical: string | undefined,
  limits: Limits,
  balance: string,
): AmountError | undefined {
  const decimals = decimalsOf(limits.currency);
  const [asked, available] = [parseDecimal(canonical ?? '', decimals), parseDecimal(balance, decimals)];
  const most = available.ok ? available.minor : 0n;
  if (asked.ok && asked.minor > most) {
    return {
      key: BALANCE_EXCEEDED_KEY,
      params: { amount: toDecimalString(most, decimals), currency: limits.currency },
    };
  }
  return checkAmount(canonical, limits);
}
