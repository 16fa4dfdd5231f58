/** Which refund of a charge an event `charge.refunded` tells of: the event itself names only sums. */
import type Stripe from 'stripe';

export type ListedRefund = Pick<Stripe.Refund, 'id' | 'amount' | 'created' | 'status' | 'metadata'>;

export interface RefundEvent {
  /** When the event was made, in seconds: several refunds may be of one second. */
  readonly at: number;
  /** What the charge had refunded before and after, in the smallest unit; absent where the event does not say. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * The refund whose amount is the step from the sum before to the sum after. Of equal ones it is the one that the refunds made
 * before bring to the sum before, so that two events never mean the same refund.
 *
 * @returns undefined when none is listed yet
 * @throws when several refunds fit and nothing tells them apart: the report is tried again and then shown to people
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

/** What refunds came to; one that failed is no longer counted by the charge. */
function refundedBy(refunds: readonly ListedRefund[]): number {
  const counted = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

function onlyNewest<Refund extends ListedRefund>(refunds: readonly Refund[]): Refund | undefined {
  const newest = refunds.at(-1);
  if (refunds.some(({ created, id }) => created === newest?.created && id !== newest.id)) {
    throw new Error('Several refunds of one second fit this event of Stripe');
  }
  return newest;
}
