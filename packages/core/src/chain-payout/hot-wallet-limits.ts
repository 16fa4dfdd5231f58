/** The limits of a hot wallet (WD-2). All amounts are minor units of one coin. */

export interface HotWalletLimits {
  /** The sum of an hour, per operator. */
  readonly hour?: bigint | undefined;
  /** The sum of 24 hours, per operator. */
  readonly day?: bigint | undefined;
}

/** What left the wallet for one operator, payouts in progress included. */
export interface SpentSums {
  readonly hour: bigint;
  readonly day: bigint;
}

/** Why a payout waits: the operator's limit of an hour or of a day. */
export type LimitWait = 'hour-limit' | 'day-limit';

/** Whether a payout may leave now. Undefined: it may. */
export function waitOf(amount: bigint, spent: SpentSums, { hour, day }: HotWalletLimits): LimitWait | undefined {
  if (hour !== undefined && spent.hour + amount > hour) return 'hour-limit';
  return day !== undefined && spent.day + amount > day ? 'day-limit' : undefined;
}
