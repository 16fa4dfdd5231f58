/** One currency's amount in another (CRY-3, SWP-2): exact, rounded once and never to the advantage of whoever converts. */
import { findCurrency } from './currencies.ts';
import { divideRounded, type Money, type Rounding, split, toDecimalString, toMinor } from './money.ts';

/** Digits behind the point of a rate: a rial in bitcoins still has more than ten that count. */
const RATE_DECIMALS = 24;

/**
 * An amount in another currency, computed exactly and rounded once to that currency's minor unit.
 * @param rate what one whole unit of the amount's currency is in whole units of `to`: a decimal string above zero
 * @param rounding `down` for what is given or shown, `up` for what is asked of a person
 * @throws RangeError for a currency that the table does not know, and for what is no rate
 */
export function convert(amount: Money, to: string, rate: string, rounding: Rounding): Money {
  const factor = readRate(rate);
  const dividend = amount.minor * factor.digits * 10n ** BigInt(knownDecimals(to));
  const divisor = 10n ** BigInt(knownDecimals(amount.currency) + factor.scale);
  return { currency: to.toUpperCase(), minor: divideRounded(dividend, divisor, rounding) };
}

/**
 * The rate between two currencies of which both are known in a third: `to / from`, where each is what one unit of the third
 * is in that currency. Rounded down, so that there and back is never more than before.
 * @returns undefined where the quotient is too small to be written
 * @throws RangeError for what is no rate
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
  if (digits <= 0n) throw new RangeError('Not a rate: it must be above zero');
  return { digits, scale };
}

function knownDecimals(code: string): number {
  const currency = findCurrency(code);
  if (currency === undefined) throw new RangeError(`Not a currency of the table: ${code}`);
  return currency.decimals;
}
