/** Reports that a payment is on its way, has vanished, or will not come: they move the deposit alone. */
import { declineReason } from '../deposit/decline-cause.ts';
import { type DepositState, judgeDepositMove } from '../deposit/deposit-lifecycle.ts';
import { type DepositAggregate, ownPayment, underReview } from './aggregate.ts';
import { contradiction, effects, KNOWN, type PaymentReport, type Verdict } from './report.ts';

export function reduceDeposit(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit } = aggregate;
  const { outcome, providerRef } = report;
  if (deposit.providerRef !== null && deposit.providerRef !== providerRef) {
    // More on its way to an address is no contradiction.
    return deposit.isOpenAmount && outcome === 'pending' ? KNOWN : contradiction('other-payment');
  }
  if (outcome === 'vanished') return onVanished(aggregate, report);
  if (outcome === 'pending') return onMove(aggregate, stateOfPending(report), report);
  return outcome === 'declined' || outcome === 'expired' || outcome === 'cancelled'
    ? onMove(aggregate, outcome, report)
    : KNOWN;
}

/** Only of the payment that the deposit shows, and while nothing of it is booked. */
function onVanished(aggregate: DepositAggregate, { chain }: PaymentReport): Verdict {
  const { state, txid } = aggregate.deposit;
  const isOpen = state === 'detected' || state === 'confirming';
  const isShown = txid !== null && txid === chain?.txid;
  const isBooked = ownPayment(aggregate) !== undefined || underReview(aggregate) !== undefined;
  return isOpen && isShown && !isBooked ? effects({ kind: 'forget-seen' }) : KNOWN;
}

function reasonOfEnding(to: DepositState, { cause }: PaymentReport): string | undefined {
  if (to === 'declined') return declineReason(cause);
  return to === 'expired' || to === 'cancelled' ? `transaction.reason.${to}` : undefined;
}

function onMove(aggregate: DepositAggregate, to: DepositState, report: PaymentReport): Verdict {
  // Money lies in suspense: only staff, or the provider who takes it back, end that.
  if (underReview(aggregate) !== undefined) return contradiction('in-review');
  if (judgeDepositMove(aggregate.deposit.state, to) !== 'move') return KNOWN;
  const reason = reasonOfEnding(to, report);
  return effects({ kind: 'move', to, ...(reason !== undefined && { reason }) });
}

/** Money that was seen and may not be credited yet: nobody cancels or expires it any more. */
function stateOfPending({ chain, remoteStatus }: PaymentReport): DepositState {
  if (chain !== undefined) return chain.confirmations === 0 ? 'detected' : 'confirming';
  return remoteStatus === 'PAYED' ? 'detected' : 'awaiting_payment';
}
