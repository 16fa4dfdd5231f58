import type { Limits } from '../limits/limits.ts';
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';

/** Typing has to be quiet for this long before a payment session starts (AMT-7). */
export const SESSION_DEBOUNCE_MS = 500;

/** A whole number from 0 to below `bound`, evenly spread. Injected, so that the rule itself is pure. */
export type RandomBelow = (bound: bigint) => bigint;

/** Makes a RandomBelow of a source of numbers from 0 to below 1, such as Math.random: a session's amount guards no secret. */
export function randomBelow(source: () => number): RandomBelow {
  return (bound) => {
    // 2^52 steps of the source are one exact digit; enough of them cover any bound.
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
 * The amount of the `session-start` call (AMT-7), as a canonical decimal string: what was typed; or, if that equals the
 * minimum, a random amount within the limits. For the session alone: the field and the create call keep what was typed.
 * @returns undefined when nothing above zero was typed, and no session starts
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
