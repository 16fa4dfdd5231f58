/** What a coin payout has done to the balance of its wallet, by its state (SRV-1, WD-2). */
import type { ChainPayoutState } from '../chain-payout/chain-payout.ts';

/**
 * - `none`: nobody can have a transaction of it, or staff ended it without one.
 * - `may-have-left`: one of its transactions may be in a block, and the payment is not booked yet.
 * - `has-cost`: the chain took a fee for good, whether it paid or not.
 */
export type PayoutInBalance = 'none' | 'may-have-left' | 'has-cost';

/**
 * @param isReported its end was reported to the payment. Before that, the ledger still holds the amount
 */
export function payoutInBalance(state: ChainPayoutState, isReported: boolean): PayoutInBalance {
  const hasEnded = state === 'confirmed' || state === 'failed';
  if (isReported) return hasEnded ? 'has-cost' : 'none';
  if (state === 'queued' || state === 'declined' || state === 'failed') return 'none';
  return 'may-have-left';
}

/**
 * A payout that was booked after the balance was read may be in it or not. The balance may be that of a block before the answer, by as many
 * seconds.
 */
export const BALANCE_LAGS_S = 60;

/** A fee that no node has said by then is missing from the balance. */
export const FEE_SAID_WITHIN_S = 86_400;
