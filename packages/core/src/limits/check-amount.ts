/** Whether an amount may be paid: its own pattern, its decimals, its limits; the same in the widget and on the server. */
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';
import { type Limits, stepOf } from './limits.ts';

export const LIMIT_MIN_KEY = 'form.amountInput.limit.min';
export const LIMIT_MAX_KEY = 'form.amountInput.limit.max';
/** The amount is missing, or is not an amount of this currency. */
export const AMOUNT_INVALID_KEY = 'form.amountInput.invalid';

/** The provider takes whole amounts of this currency. */
export const AMOUNT_WHOLE_KEY = 'form.amountInput.whole';

/** What is wrong with an amount: a locale key, and the bound as a canonical decimal string of `currency`. */
export interface AmountError {
  readonly key: string;
  readonly params: { readonly amount?: string; readonly currency?: string };
}

/** Checks an amount in minor units against limits (AMT-4); undefined when it is within them. */
export function checkLimits(minor: bigint, { currency, min, max }: Limits): AmountError | undefined {
  const decimals = decimalsOf(currency);
  if (min !== undefined && minor < min) {
    return { key: LIMIT_MIN_KEY, params: { amount: toDecimalString(min, decimals), currency } };
  }
  if (max !== undefined && minor > max) {
    return { key: LIMIT_MAX_KEY, params: { amount: toDecimalString(max, decimals), currency } };
  }
  // Without any bound an amount still has to be more than nothing.
  return minor > 0n ? undefined : { key: AMOUNT_INVALID_KEY, params: {} };
}

function checkStep(minor: bigint, limits: Limits): AmountError | undefined {
  if (minor % stepOf(limits) === 0n) return undefined;
  const isWhole = minor % 10n ** BigInt(decimalsOf(limits.currency)) === 0n;
  return { key: isWhole ? AMOUNT_INVALID_KEY : AMOUNT_WHOLE_KEY, params: {} };
}

/** A method's own rule for the amount, as p2p_market has one (AMT-8). */
export interface AmountPattern {
  readonly test: (text: string) => boolean;
  readonly errorKey: string;
}

/**
 * Checks a canonical decimal string (AMT-4, AMT-8, SRV-8), the same in the widget and on the server: its own pattern where
 * the method has one, its decimals, its limits, and what its provider can take.
 * @param canonical undefined when nothing readable was typed
 */
export function checkAmount(
  canonical: string | undefined,
  limits: Limits,
  pattern?: AmountPattern | undefined,
): AmountError | undefined {
  if (canonical === undefined) return { key: AMOUNT_INVALID_KEY, params: {} };
  if (pattern !== undefined && !pattern.test(canonical)) return { key: pattern.errorKey, params: {} };
  const minor = exactMinor(canonical, limits.currency);
  if (minor === undefined) return { key: AMOUNT_INVALID_KEY, params: {} };
  return checkLimits(minor, limits) ?? checkStep(minor, limits);
}

function exactMinor(canonical: string, currency: string): bigint | undefined {
  const result = parseDecimal(canonical, decimalsOf(currency));
  return result.ok ? result.minor : undefined;
}
