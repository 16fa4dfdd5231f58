import { type Limits, stepOf } from '../limits/limits.ts';
import { isRussia } from '../methods/region.ts';
import { decimalsOf, isCrypto } from '../money/currencies.ts';
import { decimalFromNumber, parseDecimal, roundDecimal, toDecimalString } from '../money/money.ts';

/** The amounts on the chips under the amount field (section 9). */
const LADDER = [
  5, 10, 25, 50, 75, 100, 150, 250, 500, 1000, 3000, 5000, 10_000, 15_000, 25_000, 50_000, 150_000, 250_000,
];
/** The five chips of Russia, for fiat currencies. */
const RUSSIAN_CHIPS = [5000, 7500, 10_000, 25_000, 50_000];
const MAX_CHIPS = 5;

/** The inputs that decide which chips are offered. */
export interface ChipsInput {
  readonly limits: Limits;
  readonly country: string | undefined;
  /** The operator's `fixedAmounts`, or else its recommended amounts, as decimal strings. They replace the ladder. */
  readonly fixedAmounts?: readonly string[] | undefined;
}

/**
 * The amounts of the chips under the amount field (AMT-5), as canonical decimal strings. The first rule that applies wins:
 * - the server's fixed amounts;
 * - in Russia the five Russian chips, except for crypto;
 * - the first five of the ladder.
 *
 * Amounts outside the limits, or finer than the provider's step, are left out.
 */
export function amountChips({ limits, country, fixedAmounts }: ChipsInput): string[] {
  const decimals = decimalsOf(limits.currency);
  const isWithin = (minor: bigint): boolean =>
    minor > 0n &&
    minor % stepOf(limits) === 0n &&
    minor >= (limits.min ?? 0n) &&
    (limits.max === undefined || minor <= limits.max);
  if (fixedAmounts !== undefined && fixedAmounts.length > 0) {
    const minors = fixedAmounts.flatMap((amount) => exact(amount, decimals) ?? []);
    return [...new Set(minors)].filter(isWithin).map((minor) => shorten(toDecimalString(minor, decimals)));
  }
  const ladder = isRussia(country) && !isCrypto(limits.currency) ? RUSSIAN_CHIPS : LADDER;
  const unit = 10n ** BigInt(decimals);
  return ladder
    .filter((amount) => isWithin(BigInt(amount) * unit))
    .slice(0, MAX_CHIPS)
    .map(String);
}

function exact(amount: string, decimals: number): bigint | undefined {
  const result = parseDecimal(amount, decimals);
  return result.ok ? result.minor : undefined;
}

/** A chip shows no zeros at the end of the fraction. */
function shorten(decimal: string): string {
  return decimal.replace(/\.?0*$/, (zeros) => (decimal.includes('.') ? '' : zeros));
}

/**
 * The amount that the field starts with (AMT-6), with the currency's decimals: `500` becomes `500.00`.
 * @returns undefined when the catalogue has no amount, or has one that cannot be read
 */
export function prefilledAmount(amount: string | number | null | undefined, currency: string): string | undefined {
  if (amount === null || amount === undefined) return undefined;
  const decimals = decimalsOf(currency);
  const text = typeof amount === 'number' ? (decimalFromNumber(amount) ?? '') : amount;
  const result = roundDecimal(text, decimals, 'half-up');
  return result.ok && result.minor > 0n ? toDecimalString(result.minor, decimals) : undefined;
}
