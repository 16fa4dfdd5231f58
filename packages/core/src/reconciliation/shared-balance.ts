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

/** Coins that are in no books, and that are no difference while they are few. In minor units, at least 0. */
export interface Tolerance {
  /** What wallets may have too much: messages too small for a credit, and what wallets send along with tokens. */
  readonly dust: bigint;
  /** What wallets may lack: what the network takes for their place. */
  readonly rent: bigint;
}

/** Of the own coin of a chain: one coin of dust, and a tenth of a coin for rent. Of tokens each unit counts. */
export function toleranceOf(isOwnCoin: boolean): Tolerance {
  return isOwnCoin ? { dust: 100_000_000n, rent: 10_000_000n } : { dust: 0n, rent: 0n };
}

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
  return isWithin(difference, toleranceOf(isOwnCoin)) ? 0n : difference;
}

/**
 * Whether people who agreed to a difference agreed to that of another reading, too: what is between them is dust or rent. So nobody ends
 * a proposal by sending a little. A reading without a difference is never the same. In minor units.
 */
export function isSameShared(agreed: bigint, difference: bigint, tolerance: Tolerance): boolean {
  return difference !== 0n && isWithin(difference - agreed, tolerance);
}

/** Longer than a weekend on which no server runs, so that a stop of all servers makes no old reading look like one of a coin that left. */
const LEFT_AFTER_MS = 72 * 3_600_000;

/** Who still watches a coin. */
export interface CoinWatch {
  /** Since a server that names the coin in its settings last began a round of its chain, whether or not a node answered. At least 0. */
  readonly unwatchedForMs: number;
  /** The settings of the process that asks name the coin. */
  readonly isInSettings: boolean;
}

/** Whether a coin has left the settings of all servers. Nobody can compare it any more, so its last reading stays the last one. */
export function isUnwatched({ unwatchedForMs, isInSettings }: CoinWatch): boolean {
  return !isInSettings && unwatchedForMs > LEFT_AFTER_MS;
}

/**
 * Whether staff must look at a coin: its last reading differs, or is out of date because a node fails. The reading of an unwatched coin may
 * be old. Its difference waits for two people all the same, because missing coins are missing whatever the settings say.
 * @param reading.difference in minor units
 */
export function needsStaff(
  reading: { readonly difference: bigint; readonly isOutOfDate: boolean },
  watch: CoinWatch,
): boolean {
  return reading.difference !== 0n || (reading.isOutOfDate && !isUnwatched(watch));
}

const isWithin = (rest: bigint, { dust, rent }: Tolerance): boolean => -rent <= rest && rest <= dust;
