/** The provider took money back: a chargeback, a failed debit, a refund made at the provider, or the report of a refund of ours. */
import { type DepositAggregate, isGone, leftOf, ownPayment, type Payment } from './aggregate.ts';
import { liveRefund, namedRefund, unconfirmedPart, unconfirmedRefund } from './reduce-refund.ts';
import { type Effect, effects, KNOWN, moneyOf, type PaymentReport, unmatched, type Verdict } from './report.ts';

/** @param report of outcome `reversed` */
export function reduceDispute(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit, payments } = aggregate;
  if (deposit.providerRef !== null && deposit.providerRef !== report.providerRef) {
    const payment = payments.find(({ ref }) => ref === report.providerRef);
    if (payment === undefined) return unmatched('not-paid-yet');
    return payment.state === 'in_review' ? effects(chargeBack(aggregate, payment)) : KNOWN;
  }
  return report.part === undefined ? onWhole(aggregate, report) : onPart(aggregate, report, report.part);
}

function onWhole(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const own = ownPayment(aggregate);
  // Its payment has not been reported yet; it will be, as reports come in any order.
  if (own === undefined) return unmatched('not-paid-yet');
  if (isGone(own)) return onWholeAgain(aggregate, report);
  const live = liveRefund(aggregate);
  if (live !== undefined) return effects({ kind: 'end-refund', refundId: live.id });
  const back = returnedPayments(aggregate).map((payment) => chargeBack(aggregate, payment));
  const { state } = aggregate.deposit;
  const ending: Effect =
    own.state === 'credited'
      ? { kind: 'move', to: 'reversed', reason: 'transaction.reason.reversed' }
      : { kind: 'move', to: state === 'late_paid' ? 'refunded' : 'declined', reason: 'transaction.reason.refunded' };
  return effects(...back, chargeBack(aggregate, own), ending);
}

/**
 * The whole payment has left already. The report is of a refund that nobody has confirmed; else of money that came back since; else it
 * waits until money comes back.
 */
function onWholeAgain(aggregate: DepositAggregate, { refundId }: PaymentReport): Verdict {
  const named = namedRefund(aggregate, refundId);
  if (named?.state === 'succeeded' || named?.state === 'bounced') return confirm(named.id);
  const back = returnedPayments(aggregate);
  // A provider whose refunds can come back names ours, so that a report without a name is of none of them.
  const due = unconfirmedRefund(aggregate, back.length > 0 ? ['review'] : ['review', 'operator']);
  if (due !== undefined) return confirm(due.id);
  const [next] = back;
  return next === undefined ? unmatched('not-returned-yet') : effects(chargeBack(aggregate, next));
}

/** A part of a box is no box, and a part of what lies in suspense is for staff: such reports wait. */
function onPart(aggregate: DepositAggregate, report: PaymentReport, part: string): Verdict {
  const money = moneyOf(report);
  if (typeof money === 'string') return unmatched(money);
  const sent = unconfirmedPart(aggregate, money);
  if (sent !== undefined) return confirm(sent.id);
  const own = ownPayment(aggregate);
  if (own !== undefined && isGone(own)) return unmatched('reversed-before');
  if (own?.state !== 'credited') return unmatched('not-credited');
  if (aggregate.deposit.box !== null) return unmatched('part-of-a-box');
  if (aggregate.disputes.some((dispute) => dispute.part === part)) return unmatched('booked-before');
  const live = liveRefund(aggregate);
  if (live !== undefined && live.amount === money.amount) return effects({ kind: 'end-refund', refundId: live.id });
  // What came back goes first, so that the deposit stays credited as long as its own payment does.
  const given = [...returnedPayments(aggregate).filter(({ state }) => state === 'credited'), own];
  const takings: Effect[] = [];
  let rest = money.amount;
  for (const payment of given) {
    const left = payment.asset === money.asset ? leftOf(aggregate, payment) : 0n;
    const amount = left < rest ? left : rest;
    if (amount > 0n) takings.push({ kind: 'charge-back', payment, amount, part, isAll: amount === left });
    rest -= amount;
  }
  if (rest > 0n) return unmatched('more-than-was-left');
  const isAll = takings.some((taking) => taking.kind === 'charge-back' && taking.payment === own && taking.isAll);
  return effects(
    ...takings,
    ...(isAll ? [{ kind: 'move', to: 'reversed', reason: 'transaction.reason.reversed' } as const] : []),
  );
}

function confirm(refundId: string): Verdict {
  return effects({ kind: 'confirm-refund', refundId });
}

function chargeBack(aggregate: DepositAggregate, payment: Payment): Effect {
  return { kind: 'charge-back', payment, amount: leftOf(aggregate, payment), isAll: true };
}

/** Money that had left and is there again, of which something is left: what nobody was given first, then the oldest. */
function returnedPayments({ payments }: DepositAggregate): Payment[] {
  const there = payments.filter((payment) => payment.origin === 'returned' && !isGone(payment));
  return [...there.filter(({ state }) => state === 'in_review'), ...there.filter(({ state }) => state === 'credited')];
}
