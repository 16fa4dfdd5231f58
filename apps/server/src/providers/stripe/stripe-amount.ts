/** Amounts as Stripe counts them. Ours have two digits behind the point in every state's currency; Stripe's follow the currency. */

/** Currencies that Stripe counts in whole units. */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** Currencies that Stripe counts in thousandths, of which the last digit must be zero. */
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Counted in hundredths, but charged in whole units only. */
const HUNDREDTHS_OF_WHOLE = new Set('ISK UGX'.split(' '));

/**
 * @param minor hundredths of the currency's unit
 * @returns what Stripe's `unit_amount` must say; undefined where Stripe cannot charge it exactly
 */
export function toStripeAmount(minor: bigint, currency: string): number | undefined {
  if (THOUSANDTHS.has(currency)) return asNumber(minor * 10n);
  if (HUNDREDTHS_OF_WHOLE.has(currency)) return minor % 100n === 0n ? asNumber(minor) : undefined;
  if (!WHOLE.has(currency)) return asNumber(minor);
  return minor % 100n === 0n ? asNumber(minor / 100n) : undefined;
}

/**
 * The way back, of a number that Stripe sent.
 * @returns hundredths of the currency's unit
 * @throws RangeError when the number is no whole one, or finer than our hundredths
 */
export function fromStripeAmount(amount: number, currency: string): bigint {
  if (!Number.isSafeInteger(amount)) throw new RangeError('Stripe sent an amount that is no whole number');
  const counted = BigInt(amount);
  if (WHOLE.has(currency)) return counted * 100n;
  if (!THOUSANDTHS.has(currency)) return counted;
  if (counted % 10n !== 0n) throw new RangeError('Stripe sent an amount finer than a hundredth');
  return counted / 10n;
}

/** Stripe's library takes whole numbers of its unit, which a number holds exactly up to here. */
function asNumber(units: bigint): number | undefined {
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : undefined;
}
