/**
 * Judges what the shared wallets of a chain have, against the books of all operators together (SRV-1). No operator sees the result, because
 * nobody can say whose coins a difference is. The staff of the installation accept it.
 */
import { judgeBalance } from './chain-balance.ts';

export interface SharedBalance {
  /** What the chain says of all shared wallets, in minor units. */
  readonly found: bigint;
  /** What the books of all operators say. */
  readonly expected: bigint;
  /** The sum of all differences that staff have accepted. */
  readonly accepted: bigint;
  /** The difference that the reading before left. 0: none. */
  readonly before: bigint;
  /** Money in progress, as in `judgeBalance`. At least 0. */
  readonly mayBeIn: bigint;
  readonly mayBeOut: bigint;
  /** The coin pays the fees of its chain. A token: false. */
  readonly isOwnCoin: boolean;
}

/** Messages too small for a credit, and what wallets send along with tokens: one coin, in minor units. */
export const UNRECORDED_MINOR = 100_000_000n;
/** What the network takes for the place of the wallets: a tenth of a coin. */
export const RENT_MINOR = 10_000_000n;

/**
 * What the wallets have beyond the books and all that was accepted; negative: what they lack. In minor units. As `judgeBalance`, the
 * smallest one that money in progress allows, and the one of the reading before while nothing speaks against it. Of the own coin no more
 * than dust and rent is no difference. More is one as a whole, so that once it is accepted new dust has its whole place again.
 */
export function sharedDifference(balance: SharedBalance): bigint {
  const { found, expected, accepted, before, mayBeIn, mayBeOut, isOwnCoin } = balance;
  const open = before === 0n ? [] : [{ id: 'before', difference: before }];
  const { inProgress } = judgeBalance({ found, expected: expected + accepted, mayBeIn, mayBeOut, open });
  const difference = found - expected - accepted - inProgress;
  return isOwnCoin && -RENT_MINOR <= difference && difference <= UNRECORDED_MINOR ? 0n : difference;
}
