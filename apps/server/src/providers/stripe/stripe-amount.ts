/** Amounts in Stripe's units. The cashier counts hundredths of every state currency, Stripe counts units of the currency itself. */

/** Currencies that Stripe counts in whole units. */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** Currencies that Stripe counts in thousandths. The last digit must be zero. */
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Currencies that Stripe counts in hundredths and charges in whole units only. */
const HUNDREDTHS_OF_WHOLE = new Set('ISK UGX'.split(' '));

/** The decimals of a currency in Stripe's count: none for yen, three for dinars of Kuwait. */
export function stripeDecimals(currency: string): 0 | 2 | 3 {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

/** Whether Stripe charges whole units only. */
export const isChargedWhole = (currency: string): boolean => WHOLE.has(currency) || HUNDREDTHS_OF_WHOLE.has(currency);

/**
 * @param minor hundredths of the currency's unit
 * @returns Stripe's `unit_amount`. Undefined where Stripe cannot charge the exact amount
 */
export function toStripeAmount(minor: bigint, currency: string): number | undefined {
  if (THOUSANDTHS.has(currency)) return asNumber(minor * 10n);
  if (HUNDREDTHS_OF_WHOLE.has(currency)) return minor % 100n === 0n ? asNumber(minor) : undefined;
  if (!WHOLE.has(currency)) return asNumber(minor);
  return minor % 100n === 0n ? asNumber(minor / 100n) : undefined;
}

/**
 * The inverse, for an amount that Stripe sent.
 * @returns hundredths of the currency's unit
 * @throws RangeError when the amount is not a whole number, or finer than our hundredths
 */
export function fromStripeAmount(amount: number, currency: string): bigint {
  if (!Number.isSafeInteger(amount)) throw new RangeError('Stripe sent an amount that is not a whole number');
  const counted = BigInt(amount);
  if (WHOLE.has(currency)) return counted * 100n;
  if (!THOUSANDTHS.has(currency)) return counted;
  if (counted % 10n !== 0n) throw new RangeError('Stripe sent an amount with more than two decimals');
  return counted / 10n;
}

/** Undefined above the largest integer that a number holds exactly. Stripe's library takes numbers. */
function asNumber(units: bigint): number | undefined {
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : undefined;
}
