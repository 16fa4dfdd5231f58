/**
 * Amounts in a company's units. The cashier counts hundredths of every state currency, and 8 decimals of a coin. A company may count
 * yen whole, dinars in thousandths, or write decimal text. No function here rounds.
 */
import { currencyGroups } from './generated/currencies.ts';

interface Decimals {
  readonly decimals: number;
  readonly inPayments: number;
}

const table: ReadonlyMap<string, Decimals> = new Map(
  currencyGroups.flatMap(({ codes, ...decimals }) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/** The decimals of the cashier's minor unit. `undefined`: the cashier does not know the currency, and books nothing in it. */
export function cashierDecimals(currency: string): number | undefined {
  return table.get(currency)?.decimals;
}

/** The decimals of ISO 4217, which most companies count in: 0 for yen, 3 for dinars. `undefined`: an unknown currency. */
export function isoDecimals(currency: string): number | undefined {
  return table.get(currency)?.inPayments;
}

/**
 * @param minor minor units of the cashier
 * @param decimals those that the company counts in
 * @returns the company's units. `undefined` where they cannot express the amount: decline such a deposit
 * @throws RangeError for an unknown currency
 */
export function toCompanyUnits(minor: bigint, currency: string, decimals: number): bigint | undefined {
  const own = knownDecimals(currency);
  if (decimals >= own) return minor * 10n ** BigInt(decimals - own);
  const step = 10n ** BigInt(own - decimals);
  return minor % step === 0n ? minor / step : undefined;
}

/**
 * The inverse of {@link toCompanyUnits}, for an amount that the company sent.
 * @returns minor units of the cashier
 * @throws RangeError when the amount is no whole number, is finer than the cashier's units, or is in an unknown currency
 */
export function fromCompanyUnits(units: bigint | number, currency: string, decimals: number): bigint {
  if (typeof units === 'number' && !Number.isSafeInteger(units)) {
    throw new RangeError('The amount is not a whole number');
  }
  const own = knownDecimals(currency);
  const counted = BigInt(units);
  if (own >= decimals) return counted * 10n ** BigInt(own - decimals);
  const step = 10n ** BigInt(decimals - own);
  if (counted % step !== 0n) throw new RangeError(`The amount is finer than the ${own} decimals of ${currency}`);
  return counted / step;
}

/**
 * An amount as decimal text, such as `25.50`.
 * @param decimals those that the company writes; absent: the cashier's
 * @returns `undefined` where the company's decimals cannot express the amount
 * @throws RangeError for an unknown currency
 */
export function toDecimalText(minor: bigint, currency: string, decimals = knownDecimals(currency)): string | undefined {
  const units = toCompanyUnits(minor, currency, decimals);
  if (units === undefined) return undefined;
  const [sign, size] = units < 0n ? ['-', -units] : ['', units];
  const digits = String(size).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

const DECIMAL_TEXT = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * @param text such as `25.5`, `25.50` or `25`
 * @returns minor units of the cashier
 * @throws RangeError when the text is no amount, is finer than the cashier's units, or is in an unknown currency
 */
export function fromDecimalText(text: string, currency: string): bigint {
  const [, sign = '', whole, fraction = ''] = DECIMAL_TEXT.exec(text) ?? [];
  if (whole === undefined) throw new RangeError('The amount is no decimal number');
  return fromCompanyUnits(BigInt(`${sign}${whole}${fraction}`), currency, fraction.length);
}

function knownDecimals(currency: string): number {
  const decimals = cashierDecimals(currency);
  if (decimals === undefined) throw new RangeError(`The cashier does not know the currency ${currency}`);
  return decimals;
}
