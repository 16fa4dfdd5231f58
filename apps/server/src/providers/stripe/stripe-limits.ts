/**
 * The amounts that Stripe charges, from "Minimum and maximum charge amounts" of its page on currencies. Stripe applies the minimum of
 * the currency that the account settles in, after conversion. So these are the limits of an account that settles in the same currency.
 */
import { isChargedWhole, stripeDecimals } from './stripe-amount.ts';

/** The least charge in units of the currency. */
const LEAST: Readonly<Record<string, string>> = {
  AED: '2.00',
  ARS: '0.50',
  AUD: '0.50',
  BRL: '0.50',
  CAD: '0.50',
  CHF: '0.50',
  COP: '0.50',
  CZK: '15.00',
  DKK: '2.50',
  EUR: '0.50',
  GBP: '0.30',
  HKD: '4.00',
  HUF: '175.00',
  IDR: '0.50',
  ILS: '0.50',
  INR: '0.50',
  JPY: '50',
  KRW: '50',
  MXN: '10',
  MYR: '2.00',
  NOK: '3.00',
  NZD: '0.50',
  PHP: '0.50',
  PLN: '2.00',
  RON: '2.00',
  RUB: '0.50',
  SEK: '3.00',
  SGD: '0.50',
  THB: '10',
  USD: '0.50',
  ZAR: '0.50',
};

/**
 * The greatest charge, where Stripe takes more than eight digits. Yen are left at eight, because Stripe takes no more from some cards
 * of Japanese accounts. American Express takes less in rupiah. Such a charge is declined by the card's network.
 */
const MOST: Readonly<Record<string, string>> = {
  COP: '9999999999',
  HUF: '9999999999',
  IDR: '9999999999.99',
  INR: '9999999.99',
  LBP: '99999999999',
};

/** Stripe's own limits in a currency, as decimal strings. Eight digits of Stripe's unit are the greatest charge of most currencies. */
export function stripeLimits(currency: string): { readonly min?: string; readonly max: string } {
  const min = LEAST[currency];
  return { ...(min !== undefined && { min }), max: MOST[currency] ?? eightDigits(currency) };
}

/** As a decimal string of hundredths, because the cashier counts no thousandths. */
function eightDigits(currency: string): string {
  const decimals = stripeDecimals(currency);
  const whole = '9'.repeat(8 - decimals);
  return isChargedWhole(currency) ? whole : `${whole}.99`;
}
