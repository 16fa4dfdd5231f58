import type { FeeRule } from '@opencashier/contract/api';
import { percent } from '../money/arithmetic.ts';
import { convert } from '../money/conversion.ts';
import { decimalsOf, paidStep } from '../money/currencies.ts';
import { type Money, type Rounding, roundDecimal } from '../money/money.ts';

/** Fees are rounded down, once for each of the two parts. The operator bears the fraction of a minor unit. */
export const FEE_ROUNDING: Rounding = 'down';

/** The fee and the received amount, in minor units of the amount's currency. Together they are the amount. */
export interface WithdrawalSplit {
  readonly fee: bigint;
  /** Zero or less: the amount does not cover the fee. */
  readonly receives: bigint;
}

/**
 * Splits an amount into its fee and the received amount (WD-2). The fee is a fixed part and a percentage. The confirm
 * screen and the ledger use the same function.
 * @param minor the amount in minor units
 * @param rule undefined: no fee
 * @throws RangeError for a rule that does not consist of decimal strings
 */
export function splitWithdrawal(minor: bigint, currency: string, rule: FeeRule | undefined): WithdrawalSplit {
  const fixed = roundDecimal(rule?.fixed ?? '0', decimalsOf(currency), FEE_ROUNDING);
  if (!fixed.ok) throw new RangeError(`Not a fee of ${currency}: ${fixed.error}`);
  const exact = fixed.minor + percent({ currency, minor }, rule?.percent ?? '0', FEE_ROUNDING).minor;
  // The received amount must be payable: some currencies are not paid in every minor unit.
  const fee = exact - (exact % paidStep(currency));
  return { fee, receives: minor - fee };
}

/** The split in minor units of the amount's currency, and the payout in minor units of its own currency. */
export interface PayoutSplit extends WithdrawalSplit {
  readonly payout: bigint;
}

/**
 * The payout in another currency (WD-2, SWP-2). The fee is deducted first. The rest is converted once and rounded
 * down.
 * @param rate price of one unit of the amount's currency in `to`: a decimal string above zero
 * @throws RangeError for an invalid rate or fee, or an unknown currency
 */
export function splitPayout(amount: Money, fee: FeeRule | undefined, to: string, rate: string): PayoutSplit {
  const { currency, minor } = amount;
  const split = splitWithdrawal(minor, currency, fee);
  const arrives = split.receives > 0n ? split.receives : 0n;
  return { ...split, payout: convert({ currency, minor: arrives }, to, rate, 'down').minor };
}

const HUNDRED_PERCENT = '100';
/** Fraction digits of a percentage; the contract accepts no longer decimal strings. */
const PERCENT_DECIMALS = 40;

/**
 * The smallest amount, in minor units, of which the user receives something.
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
