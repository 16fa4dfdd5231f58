import type { FeeRule } from '@opencashier/contract/api';
import { convert } from '../money/conversion.ts';
import { splitWithdrawal, type WithdrawalSplit } from '../withdrawal/withdrawal-fee.ts';
import { SWEEP_COIN } from './coins.ts';

/** One sweep coin is redeemed as one unit of this currency, whatever then arrives. */
export const SWEEP_COIN_VALUE = 'USD';

/** What a redemption keeps in sweep coins, and what arrives in the currency of the payout; minor units. */
export interface RedemptionSplit extends WithdrawalSplit {
  readonly payout: bigint;
}

/**
 * What arrives of redeemed sweep coins (SWP-2): the fee is kept first, and the rest is converted once, rounded down.
 * @param rate what one sweep coin is in `to`: a decimal string above zero
 * @throws RangeError for what is no rate, no fee, or no currency of the table
 */
export function splitRedemption(minor: bigint, fee: FeeRule | undefined, to: string, rate: string): RedemptionSplit {
  const split = splitWithdrawal(minor, SWEEP_COIN, fee);
  const arrives = split.receives > 0n ? split.receives : 0n;
  return { ...split, payout: convert({ currency: SWEEP_COIN, minor: arrives }, to, rate, 'down').minor };
}
