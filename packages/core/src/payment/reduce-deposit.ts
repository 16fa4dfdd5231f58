/** Reports of a payment that is pending, vanished or failed. They change the deposit alone. */
import { declineReason } from '../deposit/decline-cause.ts';
import { type DepositState, judgeDepositMove } from '../deposit/deposit-lifecycle.ts';
import { type DepositAggregate, ownPayment, underReview } from './aggregate.ts';
import { contradiction, effects, NO_CHANGE, type PaymentReport, type Verdict } from './report.ts';

/**
 * Decides a report that brings no money (SRV-3).
 * @param report of outcome `pending`, `vanished`, `declined`, `expired` or `cancelled`
 */
export function reduceDeposit(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit } = aggregate;
  const { outcome, providerRef } = report;
  if (deposit.providerRef !== null && deposit.providerRef !== providerRef) {
    // A further pending transfer to the same address is normal.
    return deposit.isOpenAmount && outcome === 'pending' ? NO_CHANGE : contradiction('other-payment');
  }
  if (outcome === 'vanished') return onVanished(aggregate, report);
  if (outcome === 'pending') return onMove(aggregate, stateOfPending(report), report);
  return outcome === 'declined' || outcome === 'expired' || outcome === 'cancelled'
    ? onMove(aggregate, outcome, report)
    : NO_CHANGE;
}

/** Forgets a vanished transaction, but only the shown one and only while nothing is booked. */
function onVanished(aggregate: DepositAggregate, { chain }: PaymentReport): Verdict {
  const { state, txid } = aggregate.deposit;
  const isOpen = state === 'detected' || state === 'confirming';
  const isShown = txid !== null && txid === chain?.txid;
  const isBooked = ownPayment(aggregate) !== undefined || underReview(aggregate) !== undefined;
  return isOpen && isShown && !isBooked ? effects({ kind: 'forget-seen' }) : NO_CHANGE;
}

function reasonOfEnding(to: DepositState, { cause }: PaymentReport): string | undefined {
  if (to === 'declined') return declineReason(cause);
  return to === 'expired' || to === 'cancelled' ? `transaction.reason.${to}` : undefined;
}

function onMove(aggregate: DepositAggregate, to: DepositState, report: PaymentReport): Verdict {
  // The money lies in suspense. Only staff or a chargeback can end the review.
  if (underReview(aggregate) !== undefined) return contradiction('in-review');
  if (judgeDepositMove(aggregate.deposit.state, to) !== 'move') return NO_CHANGE;
  const reason = reasonOfEnding(to, report);
  return effects({ kind: 'move', to, ...(reason !== undefined && { reason }) });
}

/**
 * A transfer that was seen moves the deposit to `detected`. From there the user cannot cancel it, and it does not
 * expire.
 */
function stateOfPending({ chain, remoteStatus }: PaymentReport): DepositState {
  if (chain !== undefined) return chain.confirmations === 0 ? 'detected' : 'confirming';
  return remoteStatus === 'PAYED' ? 'detected' : 'awaiting_payment';
}
