/** The limits of a hot wallet (WD-2). All amounts are minor units of one coin. */

export interface HotWalletLimits {
  /** A payout above it needs an approval by staff. */
  readonly payout?: bigint | undefined;
  /** The sum of an hour, per operator. */
  readonly hour?: bigint | undefined;
  /** The sum of 24 hours, per operator. */
  readonly day?: bigint | undefined;
}

/** What left the wallet for one operator, payouts under way included. */
export interface SpentSums {
  readonly hour: bigint;
  readonly day: bigint;
}

/** Why a payout waits: the operator's limit of an hour or a day, or too little in the wallet. */
export type PayoutWait = 'hour-limit' | 'day-limit' | 'low-balance';

/**
 * Whether a payout may leave now. Undefined: it may.
 * @param available what the wallet has, less what other payouts have reserved
 */
export function waitOf(
  amount: bigint,
  spent: SpentSums,
  limits: HotWalletLimits,
  available: bigint,
): PayoutWait | undefined {
  if (limits.hour !== undefined && spent.hour + amount > limits.hour) return 'hour-limit';
  if (limits.day !== undefined && spent.day + amount > limits.day) return 'day-limit';
  return amount > available ? 'low-balance' : undefined;
}
