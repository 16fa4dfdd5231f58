/** What is offered first to whoever has deposited before: the same method, and the same amount where it is still taken (LIST-6). */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { checkAmount } from '../limits/check-amount.ts';
import { methodLimits } from '../limits/limits.ts';
import { lastUsedMethod } from '../methods/method-sections.ts';

export interface DepositAgain {
  readonly method: PaymentMethod;
  /** Decimal string of the list's currency; undefined: the person chooses one. */
  readonly amount: string | undefined;
}

/**
 * By the user's newest credited deposit, which every device knows. What was only begun, such as an address that was looked at, is
 * nothing to be done again.
 * @returns undefined where its method is not offered or cannot be used
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
