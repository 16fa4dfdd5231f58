/** The first offer to a returning user: the last method, with the last amount if it is still valid (LIST-6). */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { checkAmount } from '../limits/check-amount.ts';
import { methodLimits } from '../limits/limits.ts';
import { lastUsedMethod } from '../methods/method-sections.ts';

/** The offered method and amount. */
export interface DepositAgain {
  readonly method: PaymentMethod;
  /** A decimal string in the list's currency. Undefined: the user chooses the amount. */
  readonly amount: string | undefined;
}

/**
 * Finds the offer by the user's newest credited deposit, which every device knows. A deposit that was
 * only started does not count.
 * @returns undefined when the method is not offered or cannot be used
 */
export function depositAgain(
  { methods, currency, lastDeposit }: Pick<MethodList, 'methods' | 'currency' | 'lastDeposit'>,
  country: string,
): DepositAgain | undefined {
  const method = lastUsedMethod(methods, lastDeposit?.paymentMethod);
  if (method === undefined) return undefined;
  const limits = methodLimits({ currency, country, rule: method.amount_rules[currency] });
  const isTaken = lastDeposit?.currency === currency && checkAmount(lastDeposit.amount, limits) === undefined;
  return { method, amount: isTaken ? lastDeposit.amount : undefined };
}
