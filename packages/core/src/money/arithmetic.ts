/** Comparisons and shares of money; apart from reading and writing it, which is all that a list of methods needs. */
import { decimalFromNumber, divideRounded, type Money, type Rounding, split, toMinor } from './money.ts';

/** Thrown when two currencies meet in one comparison: a fault of the program, never of the user. */
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

/** -1, 0 or 1 as `left` is below, equal to or above `right`. Throws CurrencyMismatchError. */
export function compare(left: Money, right: Money): -1 | 0 | 1 {
  if (left.currency !== right.currency) throw new CurrencyMismatchError(left.currency, right.currency);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

/**
 * A percentage of an amount, computed exactly and rounded once.
 * @param percent a decimal string such as `2.5`; throws RangeError when it is not one
 */
export function percent(amount: Money, percentage: string, rounding: Rounding): Money {
  return { currency: amount.currency, minor: multiplyByDecimal(amount.minor, percentage, 2, rounding) };
}

/**
 * An amount times a decimal factor such as a payout multiplier, computed exactly and rounded once.
 * @param factor a decimal string; throws RangeError when it is not one
 */
export function multiply(amount: Money, factor: string, rounding: Rounding): Money {
  return { currency: amount.currency, minor: multiplyByDecimal(amount.minor, factor, 0, rounding) };
}

/** A JSON number as a percentage or factor; undefined for what is none, or has more digits than arithmetic here takes. */
export function factorFromNumber(value: number): string | undefined {
  const decimal = decimalFromNumber(value);
  return decimal === undefined || typeof split(decimal) === 'string' ? undefined : decimal;
}

function multiplyByDecimal(minor: bigint, factor: string, extraScale: number, rounding: Rounding): bigint {
  const parts = split(factor);
  if (typeof parts === 'string') throw new RangeError(`Not a decimal factor: ${parts}`);
  const scale = parts.fraction.length;
  return divideRounded(minor * toMinor(parts, scale), 10n ** BigInt(scale + extraScale), rounding);
}
