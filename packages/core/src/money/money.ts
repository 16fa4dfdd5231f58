/** An amount in minor units (cents, satoshi) with its currency. Money is never a float. */
export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** Why a text is not a decimal string. */
export type DecimalError = 'empty' | 'malformed' | 'negative' | 'too-many-decimals' | 'too-long';

/** The minor units of a decimal string, or the reason for the refusal. */
export type DecimalResult =
  | { readonly ok: true; readonly minor: bigint }
  | { readonly ok: false; readonly error: DecimalError };

/**
 * How a value between two minor units is rounded. `down` goes towards zero, and `up` away from zero.
 * For a value exactly in the middle, `half-up` goes away from zero, and `half-even` to the even neighbour.
 */
export type Rounding = 'down' | 'up' | 'half-up' | 'half-even';

/** Longer than any amount. The limit keeps a hostile string from costing time. */
const MAX_LENGTH = 40;

/** The canonical form on the wire: no plus, no leading zeros, no exponent, digits on both sides of the point. */
const CANONICAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

interface Parts {
  readonly negative: boolean;
  readonly integer: string;
  readonly fraction: string;
}

/** The parts of a decimal string, or the reason why the text is not one. */
export function split(text: string): Parts | DecimalError {
  if (text === '') return 'empty';
  if (text.length > MAX_LENGTH) return 'too-long';
  const match = CANONICAL.exec(text);
  if (match === null) return 'malformed';
  return { negative: match[1] === '-', integer: match[2] ?? '0', fraction: match[3] ?? '' };
}

/** The minor units of the parts. `decimals` must be at least the number of fraction digits. */
export function toMinor({ negative, integer, fraction }: Parts, decimals: number): bigint {
  const minor = BigInt(integer + fraction.padEnd(decimals, '0'));
  return negative ? -minor : minor;
}

/**
 * Reads a canonical decimal string of the wire, such as `25.00`, exactly.
 * It repairs nothing: spaces, grouping, a plus, exponents, leading zeros and digits beyond
 * `decimals` (even zeros) are errors.
 * Text typed by a user must go through `amount/parse-amount` first.
 * @param decimals decimals of the currency's minor unit
 * @param signed accepts a leading minus, for ledger differences; a user's amount never has one
 */
export function parseDecimal(text: string, decimals: number, { signed = false } = {}): DecimalResult {
  const parts = split(text);
  if (typeof parts === 'string') return { ok: false, error: parts };
  if (parts.negative && !signed) return { ok: false, error: 'negative' };
  if (parts.fraction.length > decimals) return { ok: false, error: 'too-many-decimals' };
  return { ok: true, minor: toMinor(parts, decimals) };
}

/** Writes minor units as a canonical decimal string with all decimals: 2500n with 2 decimals is `25.00`. */
export function toDecimalString(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Rounds a decimal string that may have more decimals than the currency, such as a limit or a rate.
 * Leading zeros and a minus are accepted, because the value comes from an operator's data and not from a user.
 */
export function roundDecimal(text: string, decimals: number, rounding: Rounding): DecimalResult {
  const parts = split(text.replace(/^(-?)0+(?=\d)/, '$1'));
  if (typeof parts === 'string') return { ok: false, error: parts };
  const scale = Math.max(decimals, parts.fraction.length);
  const exact = toMinor(parts, scale);
  return { ok: true, minor: divideRounded(exact, 10n ** BigInt(scale - decimals), rounding) };
}

/**
 * The shortest decimal string of a JSON number, without an exponent: 1e-8 is `0.00000001`.
 * @returns undefined for NaN and the infinities
 */
export function decimalFromNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (match === null) return Object.is(value, -0) ? '0' : String(value);
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match;
  const digits = integer + fraction;
  const point = integer.length + Number(exponent);
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A rounded quotient of integers. The sign is handled separately, so that positive and negative values round alike. */
export function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const negative = dividend < 0n;
  const magnitude = negative ? -dividend : dividend;
  const quotient = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  const rounded = quotient + (roundsAway(rounding, twice, divisor, quotient) ? 1n : 0n);
  return negative ? -rounded : rounded;
}

function roundsAway(rounding: Rounding, twiceRemainder: bigint, divisor: bigint, quotient: bigint): boolean {
  switch (rounding) {
    case 'down':
      return false;
    case 'up':
      return twiceRemainder > 0n;
    case 'half-up':
      return twiceRemainder >= divisor;
    case 'half-even':
      return twiceRemainder > divisor || (twiceRemainder === divisor && quotient % 2n === 1n);
  }
}
