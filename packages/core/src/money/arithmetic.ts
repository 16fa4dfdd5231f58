/** Comparison and multiplication of money. Apart from `money.ts`, because a list of methods only reads and writes money. */
import { decimalFromNumber, divideRounded, type Money, type Rounding, split, toMinor } from './money.ts';

/** Thrown when two currencies are compared. The error is a bug in the program, never a user's mistake. */
export class CurrencyMismatchError extends Error {
  override readonly name = 'CurrencyMismatchError';
  readonly left: string;
  readonly right: string;

  constructor(left: string, right: string) {
    super(`Amounts of ${left} and ${right} cannot be compared`);
    this.left = left;
    this.right = right;
  }
}

/**
 * -1, 0 or 1 when `left` is below, equal to or above `right`.
 * @throws CurrencyMismatchError for two different currencies
 */
export function compare(left: Money, right: Money): -1 | 0 | 1 {
  if (left.currency !== right.currency) throw new CurrencyMismatchError(left.currency, right.currency);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

/**
 * A percentage of an amount, computed exactly and rounded once.
 * @param percentage a decimal string such as `2.5`
 * @throws RangeError for a percentage that is not a decimal string
 */
export function percent(amount: Money, percentage: string, rounding: Rounding): Money {
  return { currency: amount.currency, minor: multiplyByDecimal(amount.minor, percentage, 2, rounding) };
}

/**
 * An amount times a decimal factor, such as a payout multiplier, computed exactly and rounded once.
 * @param factor a decimal string
 * @throws RangeError for a factor that is not a decimal string
 */
export function multiply(amount: Money, factor: string, rounding: Rounding): Money {
  return { currency: amount.currency, minor: multiplyByDecimal(amount.minor, factor, 0, rounding) };
}

/** Converts a JSON number to a percentage or factor. Undefined for a value that is not finite or has too many digits. */
export function factorFromNumber(value: number): string | undefined {
  const decimal = decimalFromNumber(value);
  return decimal === undefined || typeof split(decimal) === 'string' ? undefined : decimal;
}

/** The larger of two numbers of minor units of one currency. */
export function larger(one: bigint, other: bigint): bigint {
  return one < other ? other : one;
}

/** The smaller of two numbers of minor units of one currency. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function multiplyByDecimal(minor: bigint, factor: string, extraScale: number, rounding: Rounding): bigint {
  const parts = split(factor);
  if (typeof parts === 'string') throw new RangeError(`Not a decimal factor: ${parts}`);
  const scale = parts.fraction.length;
  return divideRounded(minor * toMinor(parts, scale), 10n ** BigInt(scale + extraScale), rounding);
}
