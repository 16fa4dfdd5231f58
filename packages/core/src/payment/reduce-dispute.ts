/** Reports that money left: a chargeback, a failed debit, a refund made at the provider, or one of our refunds. */
import { type DepositAggregate, isGone, leftOf, ownPayment, type Payment } from './aggregate.ts';
import { liveRefund, namedRefund, unconfirmedPart, unconfirmedRefund } from './reduce-refund.ts';
import { type Effect, effects, moneyOf, NO_CHANGE, type PaymentReport, unmatched, type Verdict } from './report.ts';

/**
 * Decides a report that money of the deposit left (SRV-2, SRV-3).
 * @param report of outcome `reversed`
 */
export function reduceDispute(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit, payments } = aggregate;
  if (deposit.providerRef !== null && deposit.providerRef !== report.providerRef) {
    const payment = payments.find(({ ref }) => ref === report.providerRef);
    if (payment === undefined) return unmatched('not-paid-yet');
    return payment.state === 'in_review' ? effects(chargeBack(aggregate, payment)) : NO_CHANGE;
  }
  return report.part === undefined ? onWhole(aggregate, report) : onPart(aggregate, report, report.part);
}

function onWhole(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const own = ownPayment(aggregate);
  // The payment is not reported yet. Reports come in any order, so this report waits.
  if (own === undefined) return unmatched('not-paid-yet');
  if (isGone(own)) return onWholeAgain(aggregate, report);
  const live = liveRefund(aggregate);
  if (live !== undefined) return effects({ kind: 'end-refund', refundId: live.id });
  // All of it was paid out to the card. The report may be about that payout, so it waits and charges nobody.
  if (leftOf(aggregate, own) === 0n) return unmatched('paid-out');
  const back = returnedPayments(aggregate).map((payment) => chargeBack(aggregate, payment));
  const { state } = aggregate.deposit;
  const ending: Effect =
    own.state === 'credited'
      ? { kind: 'move', to: 'reversed', reason: 'transaction.reason.reversed' }
      : { kind: 'move', to: state === 'late_paid' ? 'refunded' : 'declined', reason: 'transaction.reason.refunded' };
  // The user has a part of the money by a payout, so the deposit stays credited.
  return effects(...back, chargeBack(aggregate, own), ...(isPaidOut(aggregate, own) ? [] : [ending]));
}

/**
 * The whole payment has left already. First choice: a refund that the provider has not confirmed. Second: money that
 * came back since. Otherwise the report waits until money comes back.
 */
function onWholeAgain(aggregate: DepositAggregate, { refundId }: PaymentReport): Verdict {
  const named = namedRefund(aggregate, refundId);
  if (named?.state === 'succeeded' || named?.state === 'bounced') return confirm(named.id);
  const back = returnedPayments(aggregate);
  // A provider whose refunds can bounce names our refund id. So a report without an id is about none of these
  // refunds.
  const due = unconfirmedRefund(aggregate, back.length > 0 ? ['review'] : ['review', 'operator']);
  if (due !== undefined) return confirm(due.id);
  const [next] = back;
  return next === undefined ? unmatched('not-returned-yet') : effects(chargeBack(aggregate, next));
}

/** A partial dispute. Such a report waits when the deposit bought a coin box, or while the money is in suspense. */
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
  // Returned payments are charged first, so that the deposit stays credited as long as possible.
  const credited = [...returnedPayments(aggregate).filter(({ state }) => state === 'credited'), own];
  const chargebacks: Effect[] = [];
  let rest = money.amount;
  for (const payment of credited) {
    const left = payment.asset === money.asset ? leftOf(aggregate, payment) : 0n;
    const amount = left < rest ? left : rest;
    if (amount > 0n)
      chargebacks.push({
        kind: 'charge-back',
        payment,
        amount,
        part,
        isAll: amount === left && !isPaidOut(aggregate, payment),
      });
    rest -= amount;
  }
  if (rest > 0n) return unmatched('more-than-was-left');
  const isAll = chargebacks.some(
    (chargeback) => chargeback.kind === 'charge-back' && chargeback.payment === own && chargeback.isAll,
  );
  return effects(
    ...chargebacks,
    ...(isAll ? [{ kind: 'move', to: 'reversed', reason: 'transaction.reason.reversed' } as const] : []),
  );
}

function confirm(refundId: string): Verdict {
  return effects({ kind: 'confirm-refund', refundId });
}

function chargeBack(aggregate: DepositAggregate, payment: Payment): Effect {
  return { kind: 'charge-back', payment, amount: leftOf(aggregate, payment), isAll: !isPaidOut(aggregate, payment) };
}

/** Whether a payout has sent a part of the payment back to its card. */
function isPaidOut({ paidOut }: DepositAggregate, { id }: Payment): boolean {
  return paidOut.some(({ paymentId }) => paymentId === id);
}

/**
 * Returned payments of which something is left. Payments in review come first, then credited ones; the oldest first.
 */
function returnedPayments({ payments }: DepositAggregate): Payment[] {
  const returned = payments.filter((payment) => payment.origin === 'returned' && !isGone(payment));
  const inState = (wanted: Payment['state']): Payment[] => returned.filter(({ state }) => state === wanted);
  return [...inState('in_review'), ...inState('credited')];
}
