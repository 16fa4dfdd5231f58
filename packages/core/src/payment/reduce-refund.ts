/** Refunds: which one a report confirms or ends, and which one came back. */
import type { DepositAggregate, Payment, Refund } from './aggregate.ts';
import type { Money } from './report.ts';

/** The refund that an operator asked for and the provider has not ended. */
export function liveRefund({ refunds }: Pick<DepositAggregate, 'refunds'>): Refund | undefined {
  return refunds.find(({ state }) => state === 'requested' || state === 'accepted');
}

/** Our refund that a report names. */
export function namedRefund(
  { refunds }: Pick<DepositAggregate, 'refunds'>,
  id: string | undefined,
): Refund | undefined {
  return id === undefined ? undefined : refunds.find((refund) => refund.id === id);
}

/** A refund of whole payments that is booked and whose report may still come, the oldest first. */
export function unconfirmedRefund(
  aggregate: DepositAggregate,
  origins: readonly Refund['origin'][],
): Refund | undefined {
  return aggregate.refunds.find(
    (refund) => isUnconfirmed(refund) && origins.includes(refund.origin) && paymentOf(aggregate, refund)?.part === null,
  );
}

/** As {@link unconfirmedRefund}, of a part that had come back and that staff sent away: its report names the amount. */
export function unconfirmedPart(aggregate: DepositAggregate, { asset, amount }: Money): Refund | undefined {
  return aggregate.refunds.find((refund) => {
    const payment = paymentOf(aggregate, refund);
    return isUnconfirmed(refund) && payment?.part != null && payment.asset === asset && refund.amount === amount;
  });
}

/** The newest refund of an amount that has left for good, as far as we know. */
export function sentRefund({ refunds }: Pick<DepositAggregate, 'refunds'>, amount: bigint): Refund | undefined {
  return refunds.filter((refund) => refund.state === 'succeeded' && refund.amount === amount).at(-1);
}

function isUnconfirmed({ state, isConfirmed }: Refund): boolean {
  return (state === 'succeeded' || state === 'bounced') && !isConfirmed;
}

function paymentOf({ payments }: DepositAggregate, { paymentId }: Refund): Payment | undefined {
  return payments.find(({ id }) => id === paymentId);
}
