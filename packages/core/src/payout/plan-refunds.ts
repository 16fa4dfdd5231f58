/**
 * Plans a payout to a card as refunds of the payments that the card made (WD-2). Pure: the caller has locked the payments and reads the
 * rest of each.
 */

/** A payment of the card of which something can still be refunded. */
export interface RefundablePayment {
  readonly paymentId: string;
  /** What can still be refunded of it, in minor units of the payout's currency. */
  readonly rest: bigint;
}

/** One refund of a payout. */
export interface PlannedRefund {
  readonly paymentId: string;
  /** Minor units of the payout's currency. */
  readonly amount: bigint;
}

/** The most refunds of one payout. The provider must make all of them within the time limit of one call. */
export const MAX_REFUNDS = 8;

/** The sum that {@link planRefunds} can pay out of these payments, in minor units. */
export function refundableSum(payments: readonly RefundablePayment[]): bigint {
  return usable(payments).reduce((sum, { rest }) => sum + rest, 0n);
}

/**
 * Splits an amount over the payments, in the order in which they are given.
 * @param payments the newest first: a new card is most likely still open, and a refunded payment can no longer be disputed
 * @param amount minor units
 * @returns undefined when the payments have less than the amount
 */
export function planRefunds(
  payments: readonly RefundablePayment[],
  amount: bigint,
): readonly PlannedRefund[] | undefined {
  const planned: PlannedRefund[] = [];
  let left = amount;
  for (const { paymentId, rest } of usable(payments)) {
    if (left <= 0n) break;
    const isEnough = rest >= left;
    const part = isEnough ? left : rest;
    planned.push({ paymentId, amount: part });
    left -= part;
  }
  return left > 0n || planned.length === 0 ? undefined : planned;
}

function usable(payments: readonly RefundablePayment[]): readonly RefundablePayment[] {
  return payments.filter(({ rest }) => rest > 0n).slice(0, MAX_REFUNDS);
}
