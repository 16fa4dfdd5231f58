import type { FeeRule } from '@opencashier/contract/api';
import { percent } from '../money/arithmetic.ts';
import { convert } from '../money/conversion.ts';
import { decimalsOf, paidStep } from '../money/currencies.ts';
import { type Money, type Rounding, roundDecimal } from '../money/money.ts';

/** A part of a minor unit in a fee is the operator's to bear: the fee is rounded down, once for each of its two parts. */
export const FEE_ROUNDING: Rounding = 'down';

/** What is kept and what arrives, in minor units of the amount's currency; together they are the amount. */
export interface WithdrawalSplit {
  readonly fee: bigint;
  /** Zero or less: the amount does not cover its own fee. */
  readonly receives: bigint;
}

/**
 * The fee of a withdrawal (WD-2), the same on the confirm screen and on the ledger: a fixed part and a percentage.
 * @param rule undefined: nothing is kept
 * @throws RangeError for a rule that is not of decimal strings
 */
export function splitWithdrawal(minor: bigint, currency: string, rule: FeeRule | undefined): WithdrawalSplit {
  const fixed = roundDecimal(rule?.fixed ?? '0', decimalsOf(currency), FEE_ROUNDING);
  if (!fixed.ok) throw new RangeError(`Not a fee of ${currency}: ${fixed.error}`);
  const exact = fixed.minor + percent({ currency, minor }, rule?.percent ?? '0', FEE_ROUNDING).minor;
  // What arrives must be payable: no provider pays a part of a yen.
  const fee = exact - (exact % paidStep(currency));
  return { fee, receives: minor - fee };
}

/** What is kept in the currency of the amount, and what arrives in that of the payout; minor units. */
export interface PayoutSplit extends WithdrawalSplit {
  readonly payout: bigint;
}

/**
 * What arrives of an amount in another currency (WD-2, SWP-2): the fee is kept first, and the rest is converted once, rounded down.
 * @param rate what one unit of the amount's currency is in `to`: a decimal string above zero
 * @throws RangeError for what is no rate, no fee, or no currency of the table
 */
export function splitPayout(amount: Money, fee: FeeRule | undefined, to: string, rate: string): PayoutSplit {
  const { currency, minor } = amount;
  const split = splitWithdrawal(minor, currency, fee);
  const arrives = split.receives > 0n ? split.receives : 0n;
  return { ...split, payout: convert({ currency, minor: arrives }, to, rate, 'down').minor };
}

const HUNDRED_PERCENT = '100';
/** Digits behind the point of a percentage; the contract takes no longer decimal string. */
const PERCENT_DECIMALS = 40;

/**
 * The least amount of which something arrives: what is left of it is more than the fixed part of the fee.
 * @throws RangeError when the percentage is not below 100
 */
export function leastAmount(currency: string, rule: FeeRule | undefined): bigint {
  const fixed = roundDecimal(rule?.fixed ?? '0', decimalsOf(currency), FEE_ROUNDING);
  if (!fixed.ok) throw new RangeError(`Not a fee of ${currency}: ${fixed.error}`);
  const [whole, share] = [HUNDRED_PERCENT, rule?.percent ?? '0'].map((text) =>
    roundDecimal(text, PERCENT_DECIMALS, 'down'),
  );
  if (!whole?.ok || !share?.ok || share.minor < 0n || share.minor >= whole.minor) {
    throw new RangeError('Not a percentage of a fee that leaves something');
  }
  const step = paidStep(currency);
  const least = (fixed.minor * whole.minor) / (whole.minor - share.minor) + 1n;
  return ((least + step - 1n) / step) * step;
}
