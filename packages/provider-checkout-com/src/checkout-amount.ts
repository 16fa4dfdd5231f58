/**
 * Amounts in the units of Checkout.com (https://www.checkout.com/docs/resources/calculating-the-amount). They are the decimals of
 * ISO 4217 but for the Chilean peso, which is counted in hundredths whose last two digits are 0.
 */
import { fromCompanyUnits, isoDecimals, toCompanyUnits } from '@opencashier/provider-kit';

/** The most that a request can hold: nine digits. */
const MOST_UNITS = 999_999_999n;

/**
 * @param minor minor units of the cashier
 * @returns units of Checkout.com. `undefined` where they cannot express the amount: decline such a deposit
 */
export function toCheckoutAmount(minor: bigint, currency: string): number | undefined {
  const decimals = isoDecimals(currency);
  if (decimals === undefined || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const whole = toCompanyUnits(minor, currency, decimals);
  const units = whole !== undefined && currency === 'CLP' ? whole * 100n : whole;
  return units !== undefined && units > 0n && units <= MOST_UNITS ? Number(units) : undefined;
}

/**
 * @returns minor units of the cashier
 * @throws RangeError for an amount that is no whole number or finer than the cashier's units, and for an unknown currency
 */
export function fromCheckoutAmount(units: number, currency: string): bigint {
  if (currency === 'CLP') return fromCompanyUnits(units, currency, 2);
  const decimals = isoDecimals(currency);
  if (decimals === undefined) throw new RangeError(`The cashier does not know the currency ${currency}`);
  return fromCompanyUnits(units, currency, decimals);
}
