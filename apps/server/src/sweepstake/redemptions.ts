/** The interface for payouts in another currency: redeemed sweep coins (SWP-2), and crypto from a money balance (WD-2). */
import type { FeeRule } from '@opencashier/contract/api';
import type { Caller } from '../operators/caller.ts';

/** The current rate from a balance's currency to a payout currency. */
export interface RedemptionRate {
  readonly rate: string;
  /** When the rate was valid, in ms since the epoch. */
  readonly at: number;
  readonly isStale: boolean;
  /** Absent for a stale rate, because nothing can be paid out at a stale rate. */
  readonly agreed?: { readonly quote: string; readonly expiresAt: number };
}

/** The payout at a rate that user and cashier agreed on; minor units of `currency`. */
export interface AgreedPayout {
  readonly currency: string;
  readonly amount: bigint;
  readonly rate: string;
  /** When the rate was valid, in ms since the epoch. */
  readonly at: number;
}

/** A withdrawal that pays out another currency than the balance has. */
export interface PayoutRequest {
  readonly caller: Caller;
  /** The debited currency. */
  readonly from: string;
  /** In minor units of `from`. */
  readonly amountMinor: bigint;
  readonly fee: FeeRule | undefined;
  /** The payout currency. */
  readonly currency: string;
}

/** Rates and quotes for payouts in another currency. */
export interface Redemptions {
  /**
   * @param from sweep coins, or the currency of a balance
   * @returns undefined when there is no rate
   */
  rate(caller: Caller, from: string, currency: string): Promise<RedemptionRate | undefined>;
  /**
   * The payout for a quote that this user received.
   * @throws DomainError rate-stale, with a new quote if there is a rate; limit-min when nothing would be paid out
   */
  agree(quote: string | undefined, request: PayoutRequest): Promise<AgreedPayout>;
}
