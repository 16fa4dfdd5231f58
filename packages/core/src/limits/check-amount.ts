/** Checks an amount against its pattern, its decimals and its limits. Widget and server use the same check. */
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';
import { type Limits, stepOf } from './limits.ts';

export const LIMIT_MIN_KEY = 'form.amountInput.limit.min';
export const LIMIT_MAX_KEY = 'form.amountInput.limit.max';
/** The amount is missing, or is not an amount in this currency. */
export const AMOUNT_INVALID_KEY = 'form.amountInput.invalid';

/** The provider accepts only whole amounts in this currency. */
export const AMOUNT_WHOLE_KEY = 'form.amountInput.whole';

/** An amount error: a locale key, and the limit as a canonical decimal string of `currency`. */
export interface AmountError {
  readonly key: string;
  readonly params: { readonly amount?: string; readonly currency?: string };
}

/** Checks an amount in minor units against limits (AMT-4). Undefined when the amount is within the limits. */
export function checkLimits(minor: bigint, { currency, min, max }: Limits): AmountError | undefined {
  const decimals = decimalsOf(currency);
  if (min !== undefined && minor < min) {
    return { key: LIMIT_MIN_KEY, params: { amount: toDecimalString(min, decimals), currency } };
  }
  if (max !== undefined && minor > max) {
    return { key: LIMIT_MAX_KEY, params: { amount: toDecimalString(max, decimals), currency } };
  }
  // Without limits, an amount must still be above zero.
  return minor > 0n ? undefined : { key: AMOUNT_INVALID_KEY, params: {} };
}

function checkStep(minor: bigint, limits: Limits): AmountError | undefined {
  if (minor % stepOf(limits) === 0n) return undefined;
  const isWhole = minor % 10n ** BigInt(decimalsOf(limits.currency)) === 0n;
  return { key: isWhole ? AMOUNT_INVALID_KEY : AMOUNT_WHOLE_KEY, params: {} };
}

/** A method's own pattern for the amount, as p2p_market has (AMT-8). */
export interface AmountPattern {
  readonly test: (text: string) => boolean;
  readonly errorKey: string;
}

/**
 * Checks a canonical decimal string (AMT-4, AMT-8, SRV-8). Widget and server use the same check.
 * Order: the method's pattern, the decimals, the limits, the provider's step.
 * @param canonical undefined when the typed text is not an amount
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
