/** The amounts that Stripe charges at all, by its documentation on minimum and maximum charge amounts. */

/** The least charge in units of the currency. Stripe applies others by the currency of the account; these are its own table. */
const LEAST: Readonly<Record<string, string>> = {
  AED: '2.00',
  AUD: '0.50',
  BRL: '0.50',
  CAD: '0.50',
  CHF: '0.50',
  CZK: '15.00',
  DKK: '2.50',
  EUR: '0.50',
  GBP: '0.30',
  HKD: '4.00',
  HUF: '175.00',
  INR: '0.50',
  JPY: '50',
  MXN: '10',
  MYR: '2.00',
  NOK: '3.00',
  NZD: '0.50',
  PLN: '2.00',
  RON: '2.00',
  SEK: '3.00',
  SGD: '0.50',
  THB: '10',
  USD: '0.50',
};

/** Eight digits of the smallest unit: 999,999.99 dollars, or 99,999,999 yen. */
const MOST = '999999.99';
const MOST_OF_WHOLE_UNITS = '99999999';
const WHOLE_UNITS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** Stripe's own limits in a currency, as decimal strings. */
export function stripeLimits(currency: string): { readonly min?: string; readonly max: string } {
  const min = LEAST[currency];
  return { ...(min !== undefined && { min }), max: WHOLE_UNITS.has(currency) ? MOST_OF_WHOLE_UNITS : MOST };
}
