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
 * By the user's newest credited deposit, which every device knows; else by the method that this device used last.
 * @param usedHere the name of the latter
 * @returns undefined where neither method is offered and can be used
 */
export function depositAgain(
  { methods, currency, lastDeposit }: Pick<MethodList, 'methods' | 'currency' | 'lastDeposit'>,
  country: string,
  usedHere: string | undefined,
): DepositAgain | undefined {
  const method = lastUsedMethod(methods, lastDeposit?.paymentMethod) ?? lastUsedMethod(methods, usedHere);
  if (method === undefined) return undefined;
  const isOfIt = lastDeposit?.paymentMethod === method.name && lastDeposit.currency === currency;
  const limits = methodLimits({ currency, country, rule: method.amount_rules[currency] });
  const isTaken = isOfIt && checkAmount(lastDeposit.amount, limits) === undefined;
  return { method, amount: isTaken ? lastDeposit.amount : undefined };
}
