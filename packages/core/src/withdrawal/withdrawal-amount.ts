import { type AmountError, checkAmount } from '../limits/check-amount.ts';
import type { Limits } from '../limits/limits.ts';
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';

/** Locale key of the error that the amount is more than the balance (WD-3). */
export const BALANCE_EXCEEDED_KEY = 'form.amountInput.limit.balance';

/**
 * Checks the amount of a withdrawal (WD-3): at most the balance, and within the method's limits. The widget and the
 * server use the same check. The hold checks the balance again.
 * @param canonical the amount as a decimal string in the currency of `limits`; undefined: not an amount
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
