/** Reports that money came back: a refund bounced, or a dispute was won. Staff decide who gets the money. */
import { type DepositAggregate, type Dispute, isGone, leftOf, ownPayment, type Payment } from './aggregate.ts';
import { namedRefund, newestSentRefund } from './reduce-refund.ts';
import {
  type Effect,
  effects,
  type Money,
  moneyOf,
  NO_CHANGE,
  type PaymentReport,
  unmatched,
  type Verdict,
} from './report.ts';

/**
 * Decides a report that money came back (SRV-3).
 * @param report of outcome `returned`, with a provider reference of its own
 */
export function reduceReturned(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const money = moneyOf(report);
  if (typeof money === 'string') return unmatched(money);
  if (aggregate.payments.some(({ ref }) => ref === report.providerRef)) return NO_CHANGE;
  const refund = namedRefund(aggregate, report.refundId);
  if (refund !== undefined) {
    if (refund.state === 'declined') return NO_CHANGE;
    // Reconciliation ends an open refund by its own id.
    if (refund.state === 'requested' || refund.state === 'accepted') return unmatched('refund-open');
    if (refund.state === 'bounced') return unmatched('more-than-had-left');
    return receive(report, money, { kind: 'bounce-refund', refundId: refund.id });
  }
  const own = ownPayment(aggregate);
  if (own === undefined || own.state === 'in_review') return unmatched('not-taken-back-yet');
  const isRoom = own.asset !== money.asset || roomOf(aggregate, own) >= money.amount;
  // After partial movements, less than the whole amount may have left.
  const isBounded = report.part !== undefined || hasParts(aggregate);
  if (isBounded && !isRoom) return unmatched(isGone(own) ? 'more-than-had-left' : 'not-taken-back-yet');
  if (!isGone(own) && (report.part === undefined || own.asset !== money.asset)) return unmatched('not-taken-back-yet');
  return receive(report, money, endOf(aggregate, money, report.part));
}

function receive({ part }: PaymentReport, money: Money, end: Effect | undefined): Verdict {
  const back: Effect = {
    kind: 'receive',
    origin: 'returned',
    reason: 'returned',
    ...money,
    ...(part !== undefined && { part }),
  };
  return end === undefined ? effects(back) : effects(back, end);
}

function hasParts({ payments, disputes }: DepositAggregate): boolean {
  return disputes.some(({ part }) => part !== null) || payments.some(({ part }) => part !== null);
}

/**
 * How much of the deposit's payment has left and not come back, in minor units. The return of a payout is a report about its withdrawal.
 */
function roomOf(aggregate: DepositAggregate, own: Payment): bigint {
  let room = own.amount;
  for (const { amount } of aggregate.paidOut) room -= amount;
  for (const payment of aggregate.payments) {
    if (payment.origin !== 'further' && payment.asset === own.asset) room -= leftOf(aggregate, payment);
  }
  return room;
}

/**
 * The row that the return ends. First choice: the dispute of this id. Second: the newest open dispute of this amount.
 * Third: the newest refund of this amount.
 */
function endOf(aggregate: DepositAggregate, { amount }: Money, part: string | undefined): Effect | undefined {
  const open = aggregate.disputes.filter(({ state }) => state === 'open');
  const isNamed = (dispute: Dispute): boolean => part !== undefined && dispute.part === part;
  const dispute = open.find(isNamed) ?? open.filter((one) => one.amount === amount).at(-1);
  if (dispute !== undefined) return { kind: 'win-dispute', disputeId: dispute.id };
  const refund = newestSentRefund(aggregate, amount);
  return refund && { kind: 'bounce-refund', refundId: refund.id };
}
