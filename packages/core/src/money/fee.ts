/** Fees of deposits and withdrawals, in minor units of the amount's currency. */
import type { FeeRule } from '@opencashier/contract/api';
import { larger, percent, smaller } from './arithmetic.ts';
import { decimalsOf, paidStep } from './currencies.ts';
import { type Rounding, roundDecimal } from './money.ts';

/** Each part of a fee is rounded down once. The operator bears the fraction of a minor unit. */
export const FEE_ROUNDING: Rounding = 'down';

/**
 * The fee that the user pays of an amount: the fixed part and the percentage, then at least the minimum, and then at most the maximum.
 * It is a whole number of payable units, so that the rest can be paid.
 * @param minor the amount in minor units
 * @param rule undefined, or paid by the operator: no fee
 * @returns zero or more; it may be above the amount
 * @throws RangeError for a rule that does not consist of decimal strings
 */
export function feeOf(minor: bigint, currency: string, rule: FeeRule | undefined): bigint {
  if (rule === undefined || rule.paidBy === 'operator') return 0n;
  const exact = feePart(rule.fixed, currency) + percent({ currency, minor }, rule.percent ?? '0', FEE_ROUNDING).minor;
  const least = feePart(rule.min, currency);
  const raised = larger(exact, least);
  const fee = rule.max === undefined ? raised : smaller(raised, feePart(rule.max, currency));
  return fee - (fee % paidStep(currency));
}

/**
 * The fee of a deposit, of the amount that was paid. It is never above that amount, because a fee makes no debt.
 * @throws RangeError as {@link feeOf}
 */
export function depositFee(paid: bigint, currency: string, rule: FeeRule | undefined): bigint {
  return smaller(feeOf(paid, currency, rule), paid);
}

/** Minor units of an amount in a rule. Absent: zero. @throws RangeError for a text that is no amount */
export function feePart(text: string | undefined, currency: string): bigint {
  const part = roundDecimal(text ?? '0', decimalsOf(currency), FEE_ROUNDING);
  if (!part.ok) throw new RangeError(`Not a fee of ${currency}: ${part.error}`);
  return part.minor;
}
