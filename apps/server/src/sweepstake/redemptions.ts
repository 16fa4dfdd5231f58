/** What the rest of the server may ask about payouts in another currency: redeemed sweep coins (SWP-2), and coins of a money balance (WD-2). */
import type { FeeRule } from '@opencashier/contract/api';
import type { Caller } from '../operators/caller.ts';

/** What one unit of a balance's currency is in another one now. */
export interface RedemptionRate {
  readonly rate: string;
  /** When the rate was true, ms since the epoch. */
  readonly at: number;
  readonly isStale: boolean;
  /** Absent for a stale rate: nothing can be paid out by it. */
  readonly agreed?: { readonly quote: string; readonly expiresAt: number };
}

/** What arrives, by a rate that user and cashier agreed on; minor units of `currency`. */
export interface AgreedPayout {
  readonly currency: string;
  readonly amount: bigint;
  readonly rate: string;
  /** When the rate was true, ms since the epoch. */
  readonly at: number;
}

export interface Wanted {
  readonly caller: Caller;
  /** What leaves the balance. */
  readonly from: string;
  /** In minor units of `from`. */
  readonly amountMinor: bigint;
  readonly fee: FeeRule | undefined;
  /** What arrives. */
  readonly currency: string;
}

export interface Redemptions {
  /** @param from sweep coins, or money of a balance @returns undefined where there is no rate */
  rate(caller: Caller, from: string, currency: string): Promise<RedemptionRate | undefined>;
  /**
   * What arrives by a quote that was given to this user.
   * @throws DomainError rate-stale with a fresh quote where there is one; limit-min when nothing would arrive
   */
  agree(quote: string | undefined, wanted: Wanted): Promise<AgreedPayout>;
}
