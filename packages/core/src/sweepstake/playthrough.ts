import { multiply } from '../money/arithmetic.ts';
import { SWEEP_COIN } from './coins.ts';

/** What a user got of sweep coins, and staked of them, ever; minor units. */
export interface SweepPlay {
  readonly granted: bigint;
  readonly played: bigint;
}

/** How often a sweep coin is played before it can be redeemed, where the operator says nothing. */
export const DEFAULT_PLAYTHROUGH = '1';

/**
 * What of the sweep coins must still be played (SWP-2): what was granted times the operator's factor, less what was played;
 * a part of a minor unit counts as a whole one.
 * @param factor a decimal string such as `1`; throws RangeError when it is not one
 */
export function unplayedOf({ granted, played }: SweepPlay, factor: string): bigint {
  const left = multiply({ currency: SWEEP_COIN, minor: granted }, factor, 'up').minor - played;
  return left > 0n ? left : 0n;
}

/** What of a balance can be redeemed while a part of it is unplayed; never below zero. */
export function redeemableOf(balance: bigint, unplayed: bigint): bigint {
  return balance > unplayed ? balance - unplayed : 0n;
}
