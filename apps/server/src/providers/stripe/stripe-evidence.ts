/** What Stripe's objects say of a payment, in the cashier's words. */
import type Stripe from 'stripe';
import type { ProviderEvidence } from '../provider.ts';
import { fromStripeAmount } from './stripe-amount.ts';

export const PROVIDER_NAME = 'stripe';

/** Under this name our id stands in what Stripe keeps. */
export const DEPOSIT_ID = 'deposit_id';

/**
 * A Checkout session as it stands. Asked twice in one state it names one event, so that a call-back and an answer to our
 * question book once.
 */
export function evidenceOfSession(session: Stripe.Checkout.Session, at: number): ProviderEvidence {
  const named = session.metadata?.[DEPOSIT_ID];
  const depositId = session.client_reference_id ?? named;
  const known = {
    provider: PROVIDER_NAME,
    providerRef: session.id,
    ...(depositId && named && named !== depositId ? { contradiction: 'two-deposits' } : {}),
    ...(depositId ? { depositId } : {}),
    at: new Date(at * 1000).toISOString(),
  };
  if (session.payment_status === 'paid') {
    if (session.amount_total === null || session.currency === null)
      throw new Error('A paid session without its amount');
    const currency = session.currency.toUpperCase();
    return {
      ...known,
      outcome: 'paid',
      paidMinor: fromStripeAmount(session.amount_total, currency),
      currency,
      eventId: `${session.id}:paid`,
    };
  }
  if (session.status === 'expired') return { ...known, outcome: 'expired', eventId: `${session.id}:expired` };
  // Complete and unpaid: a method that settles later, such as a bank debit.
  return { ...known, outcome: 'pending', eventId: `${session.id}:${session.status ?? 'open'}` };
}

/** A session whose later settlement failed; it stays `complete` and `unpaid` for ever. */
export function evidenceOfFailedSession(session: Stripe.Checkout.Session, at: number): ProviderEvidence {
  const { eventId: _, ...rest } = evidenceOfSession(session, at);
  return { ...rest, outcome: 'declined', reason: 'settlement-failed', eventId: `${session.id}:failed` };
}

/** Money that a refund or a dispute moved. */
export interface StripeMove {
  /** Stripe's id of the refund or dispute. */
  readonly cause: string;
  /** In Stripe's own unit of the session's currency; null as the session's own. */
  readonly amount: number | null;
}

/** Nothing more to say of the whole payment; of another amount, how much it is, and that there may be more. */
function partOf(session: Stripe.Checkout.Session, { cause, amount }: StripeMove): Partial<ProviderEvidence> {
  if (amount === session.amount_total) return {};
  // More than was ever paid cannot be booked by itself.
  if (amount === null || session.amount_total === null || session.currency === null || amount > session.amount_total)
    return { contradiction: 'more-than-was-paid' };
  return { part: cause, paidMinor: fromStripeAmount(amount, session.currency.toUpperCase()) };
}

/**
 * Money that had left and is with us again: a refund that did not arrive, or a dispute that was won. It is money of its own, so its
 * reference is.
 */
export function evidenceOfReturn(
  session: Stripe.Checkout.Session,
  moved: StripeMove,
  at: number,
  refundId?: string,
): ProviderEvidence {
  const { eventId: _, outcome: _outcome, ...rest } = evidenceOfSession(session, at);
  const providerRef = `${session.id}:returned:${moved.cause}`;
  return {
    ...rest,
    ...partOf(session, moved),
    providerRef,
    outcome: 'returned',
    eventId: providerRef,
    ...(refundId !== undefined && { refundId }),
  };
}

/**
 * Money that Stripe took back from us.
 * @param refundId our id of the refund, where it is one of ours
 */
export function evidenceOfReversal(
  session: Stripe.Checkout.Session,
  moved: StripeMove,
  at: number,
  refundId?: string,
): ProviderEvidence {
  const { eventId: _, ...rest } = evidenceOfSession(session, at);
  return {
    ...rest,
    ...partOf(session, moved),
    outcome: 'reversed',
    eventId: `${session.id}:reversed:${moved.cause}`,
    ...(refundId !== undefined && { refundId }),
  };
}
