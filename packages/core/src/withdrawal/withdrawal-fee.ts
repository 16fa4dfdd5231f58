import type { FeeRule } from '@opencashier/contract/api';
import { larger, smaller } from '../money/arithmetic.ts';
import { convert } from '../money/conversion.ts';
import { paidStep } from '../money/currencies.ts';
import { feeOf, feePart } from '../money/fee.ts';
import { type Money, roundDecimal } from '../money/money.ts';

/** The fee and the received amount, in minor units of the amount's currency. Together they are the amount. */
export interface WithdrawalSplit {
  readonly fee: bigint;
  /** Zero or less: the amount does not cover the fee. */
  readonly receives: bigint;
}

/**
 * Splits an amount into its fee and the received amount (WD-2). The confirm screen and the ledger use the same
 * function.
 * @param minor the amount in minor units
 * @param rule undefined: no fee
 * @throws RangeError for a rule that does not consist of decimal strings
 */
export function splitWithdrawal(minor: bigint, currency: string, rule: FeeRule | undefined): WithdrawalSplit {
  // The received amount is payable, too: some currencies are not paid in every minor unit.
  const fee = feeOf(minor, currency, rule);
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
  if (rule?.paidBy === 'operator') return paidStep(currency);
  const [whole, share] = [HUNDRED_PERCENT, rule?.percent ?? '0'].map((text) =>
    roundDecimal(text, PERCENT_DECIMALS, 'down'),
  );
  if (!whole?.ok || !share?.ok || share.minor < 0n || share.minor >= whole.minor) {
    throw new RangeError('Not a percentage of a fee that leaves something');
  }
  const step = paidStep(currency);
  const uncapped = (feePart(rule?.fixed, currency) * whole.minor) / (whole.minor - share.minor) + 1n;
  // Above the least fee something is left, and above the highest fee, too, whatever the other parts say.
  const raised = larger(uncapped, feePart(rule?.min, currency) + 1n);
  const least = rule?.max === undefined ? raised : smaller(raised, feePart(rule.max, currency) + 1n);
  return ((least + step - 1n) / step) * step;
}
