/** Currency conversion (CRY-3, SWP-2): exact, rounded once, and never to the advantage of the person who converts. */
import { findCurrency } from './currencies.ts';
import { divideRounded, type Money, type Rounding, split, toDecimalString, toMinor } from './money.ts';

/** Decimals of a rate. With 24 decimals even a rial in bitcoins keeps more than ten significant digits. */
const RATE_DECIMALS = 24;

/**
 * Converts an amount, computed exactly and rounded once to the minor unit of `to`.
 * @param rate whole units of `to` for one whole unit of the amount's currency: a decimal string above zero
 * @param rounding `down` for money that the user receives or sees, `up` for money that the user must pay
 * @throws RangeError for an unknown currency, or for a text that is not a rate
 */
export function convert(amount: Money, to: string, rate: string, rounding: Rounding): Money {
  const factor = readRate(rate);
  const dividend = amount.minor * factor.digits * 10n ** BigInt(knownDecimals(to));
  const divisor = 10n ** BigInt(knownDecimals(amount.currency) + factor.scale);
  return { currency: to.toUpperCase(), minor: divideRounded(dividend, divisor, rounding) };
}

/**
 * The cross rate of two currencies: `to / from`, where both are rates from the same third currency.
 * The rate is rounded down, so that converting there and back never gains money.
 * @returns undefined when the quotient is too small for a decimal string
 * @throws RangeError for a text that is not a rate
 */
export function crossRate(from: string, to: string): string | undefined {
  const [divisor, dividend] = [readRate(from), readRate(to)];
  const digits = divideRounded(
    dividend.digits * 10n ** BigInt(divisor.scale + RATE_DECIMALS),
    divisor.digits * 10n ** BigInt(dividend.scale),
    'down',
  );
  if (digits === 0n) return undefined;
  return toDecimalString(digits, RATE_DECIMALS).replace(/\.?0+$/, '');
}

function readRate(text: string): { readonly digits: bigint; readonly scale: number } {
  const parts = split(text);
  if (typeof parts === 'string') throw new RangeError(`Not a rate: ${parts}`);
  const scale = parts.fraction.length;
  const digits = toMinor(parts, scale);
  if (digits <= 0n) throw new RangeError('Not a rate: a rate must be above zero');
  return { digits, scale };
}

function knownDecimals(code: string): number {
  const currency = findCurrency(code);
  if (currency === undefined) throw new RangeError(`Not a known currency: ${code}`);
  return currency.decimals;
}
