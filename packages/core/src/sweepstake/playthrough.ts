import { multiply } from '../money/arithmetic.ts';
import { SWEEP_COIN } from './coins.ts';

/** The total of a user's granted and staked sweep coins since the start, in minor units. */
export interface SweepPlay {
  readonly granted: bigint;
  readonly played: bigint;
}

/** How often a sweep coin must be staked before redemption, when the operator sets no other factor. */
export const DEFAULT_PLAYTHROUGH = '1';

/**
 * The sweep coins that the user must still stake (SWP-2), in minor units, rounded up.
 * The amount is granted × factor − staked.
 * @param factor a decimal string such as `1`
 * @throws RangeError for a factor that is not a decimal string
 */
export function unplayedOf({ granted, played }: SweepPlay, factor: string): bigint {
  const left = multiply({ currency: SWEEP_COIN, minor: granted }, factor, 'up').minor - played;
  return left > 0n ? left : 0n;
}

/** The redeemable part of a balance: the balance minus its unplayed part, never below zero. */
export function redeemableOf(balance: bigint, unplayed: bigint): bigint {
  return balance > unplayed ? balance - unplayed : 0n;
}
