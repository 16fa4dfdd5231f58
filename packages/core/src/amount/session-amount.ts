import type { Limits } from '../limits/limits.ts';
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';

/** A payment session starts only after the user has stopped typing for this long, in milliseconds (AMT-7). */
export const SESSION_DEBOUNCE_MS = 500;

/** Returns an evenly distributed whole number from 0 up to, but not including, `bound`. Injected to keep the rule pure. */
export type RandomBelow = (bound: bigint) => bigint;

/**
 * Makes a RandomBelow from a source of numbers in [0, 1), such as Math.random.
 * A session's amount protects no secret, so the source need not be cryptographic.
 */
export function randomBelow(source: () => number): RandomBelow {
  return (bound) => {
    // The source gives one exact digit of base 2^52. Several such digits cover any bound.
    const step = 2n ** 52n;
    let range = 1n;
    let value = 0n;
    while (range < bound * step) {
      value = value * step + BigInt(Math.floor(source() * Number(step)));
      range *= step;
    }
    return (value * bound) / range;
  };
}

/**
 * The amount of the `session-start` call (AMT-7), as a canonical decimal string.
 * It is the typed amount; if that equals the minimum, it is a random amount within the limits.
 * Only the session uses the random amount: the field and the create call keep the typed one.
 * @returns undefined when the typed amount is missing or not above zero; then no session starts
 */
export function sessionAmount(typed: string | undefined, limits: Limits, random: RandomBelow): string | undefined {
  const decimals = decimalsOf(limits.currency);
  const result = parseDecimal(typed ?? '', decimals);
  if (!result.ok || result.minor <= 0n) return undefined;
  const { min, max } = limits;
  if (min === undefined || max === undefined || result.minor !== min || max < min) {
    return toDecimalString(result.minor, decimals);
  }
  return toDecimalString(min + random(max - min + 1n), decimals);
}
