/** Finds the refund that a report confirms, ends or returns. */
import type { DepositAggregate, Payment, Refund } from './aggregate.ts';
import type { Money } from './report.ts';

/** The refund that an operator requested and the provider has not ended yet. */
export function liveRefund({ refunds }: Pick<DepositAggregate, 'refunds'>): Refund | undefined {
  return refunds.find(({ state }) => state === 'requested' || state === 'accepted');
}

/** The refund that a report names by our id. */
export function namedRefund(
  { refunds }: Pick<DepositAggregate, 'refunds'>,
  id: string | undefined,
): Refund | undefined {
  return id === undefined ? undefined : refunds.find((refund) => refund.id === id);
}

/** The oldest refund of a whole payment that is booked and not yet confirmed by a report. */
export function unconfirmedRefund(
  aggregate: DepositAggregate,
  origins: readonly Refund['origin'][],
): Refund | undefined {
  return aggregate.refunds.find(
    (refund) => isUnconfirmed(refund) && origins.includes(refund.origin) && paymentOf(aggregate, refund)?.part === null,
  );
}

/**
 * Like {@link unconfirmedRefund}, for a partial amount that had come back and that staff sent away. The report names
 * the amount.
 */
export function unconfirmedPart(aggregate: DepositAggregate, { asset, amount }: Money): Refund | undefined {
  return aggregate.refunds.find((refund) => {
    const payment = paymentOf(aggregate, refund);
    return isUnconfirmed(refund) && payment?.part != null && payment.asset === asset && refund.amount === amount;
  });
}

/** The newest refund of this amount that succeeded and has not bounced. */
export function newestSentRefund({ refunds }: Pick<DepositAggregate, 'refunds'>, amount: bigint): Refund | undefined {
  return refunds.filter((refund) => refund.state === 'succeeded' && refund.amount === amount).at(-1);
}

function isUnconfirmed({ state, isConfirmed }: Refund): boolean {
  return (state === 'succeeded' || state === 'bounced') && !isConfirmed;
}

function paymentOf({ payments }: DepositAggregate, { paymentId }: Refund): Payment | undefined {
  return payments.find(({ id }) => id === paymentId);
}
