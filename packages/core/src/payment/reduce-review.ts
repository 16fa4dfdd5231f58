/** Decisions of staff about the payment under review: credit the paid amount, or send the money back to the payer. */
import type { DepositState } from '../deposit/deposit-lifecycle.ts';
import { type DepositAggregate, type DepositFacts, NO_USER, type Payment, underReview } from './aggregate.ts';
import type { Effect } from './report.ts';

/** Why a decision of staff is refused. */
export type ReviewRefusal =
  | 'nothing-to-decide'
  | 'names-no-user'
  | 'other-currency'
  | 'box-below-price'
  | 'box-sold-before'
  | 'credited-once';

/** The effects of a decision, or the reason of its refusal. */
export type ReviewVerdict =
  | { readonly kind: 'effects'; readonly effects: readonly Effect[] }
  | { readonly kind: 'refused'; readonly why: ReviewRefusal };

/** Decides the payment under review (SRV-3). */
export function reduceReview(aggregate: DepositAggregate, decision: 'credit' | 'refund'): ReviewVerdict {
  const { deposit } = aggregate;
  const payment = underReview(aggregate);
  if (payment === undefined) return { kind: 'refused', why: 'nothing-to-decide' };
  const isOwn = payment.origin === 'deposit';
  if (decision === 'refund') {
    const ending: Effect = { kind: 'move', to: refundedState(deposit.state), reason: 'transaction.reason.refunded' };
    return { kind: 'effects', effects: [{ kind: 'refund-reviewed', payment }, ...(isOwn ? [ending] : [])] };
  }
  const why = whyNotCredited(deposit, payment);
  if (why !== undefined) return { kind: 'refused', why };
  const credited: Effect = { kind: 'move', to: 'credited' };
  return { kind: 'effects', effects: [{ kind: 'credit-reviewed', payment }, ...(isOwn ? [credited] : [])] };
}

function whyNotCredited(deposit: DepositFacts, payment: Payment): ReviewRefusal | undefined {
  // A further payment can only be sent back: the deposit was credited once.
  if (payment.origin === 'further') return 'credited-once';
  if (payment.origin === 'returned' && deposit.box !== null) return 'box-sold-before';
  if (deposit.userId === NO_USER) return 'names-no-user';
  if (payment.asset !== deposit.currency) return 'other-currency';
  return deposit.box !== null && payment.amount < deposit.amount ? 'box-below-price' : undefined;
}

/**
 * The state of the deposit after a refund. A late payment ends as `refunded`; a wrong payment in time ends as
 * `declined`.
 */
function refundedState(state: DepositState): DepositState {
  return state === 'late_paid' ? 'refunded' : 'declined';
}
