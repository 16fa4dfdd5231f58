/** Finds the refund behind an event `charge.refunded`. The event names only the refunded sums of its charge. */
import type Stripe from 'stripe';

export type ListedRefund = Pick<Stripe.Refund, 'id' | 'amount' | 'created' | 'status' | 'metadata'>;

export interface RefundEvent {
  /** When Stripe made the event, in seconds since the epoch. Several refunds may share a second. */
  readonly at: number;
  /** The refunded sum of the charge before and after, in Stripe's unit. Undefined where the event does not say. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * The refund whose amount is the difference between the two sums. Of several with this amount it is the refund before which all
 * earlier refunds add up to the sum before. So two events never name the same refund.
 *
 * @returns undefined when none is listed yet
 * @throws when several refunds fit and nothing tells them apart. The event is then tried again, and in the end shown to staff
 */
export function refundOfEvent<Refund extends ListedRefund>(
  refunds: readonly Refund[],
  { at, before, after }: RefundEvent,
): Refund | undefined {
  const until = refunds
    .filter(({ created }) => created <= at)
    .toSorted((left, right) => left.created - right.created || (left.id < right.id ? -1 : 1));
  if (before === undefined || after === undefined) return onlyNewest(until);
  const fitting = until.filter(({ amount }) => amount === after - before);
  if (fitting.length < 2) return fitting[0];
  return onlyNewest(fitting.filter((one) => refundedBy(until.slice(0, until.indexOf(one))) === before));
}

/** The sum of refunds. The charge does not count a refund that failed. */
function refundedBy(refunds: readonly ListedRefund[]): number {
  const counted = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

function onlyNewest<Refund extends ListedRefund>(refunds: readonly Refund[]): Refund | undefined {
  const newest = refunds.at(-1);
  if (refunds.some(({ created, id }) => created === newest?.created && id !== newest.id)) {
    throw new Error('Several refunds of the same second match this event of Stripe');
  }
  return newest;
}
