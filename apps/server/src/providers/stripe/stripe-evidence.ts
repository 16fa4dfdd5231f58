/** What Stripe's objects say of a payment, in the cashier's words. */
import type Stripe from 'stripe';
import type { MODE_REPORTS, ProviderEvidence } from '../provider.ts';
import { fromStripeAmount } from './stripe-amount.ts';

export const PROVIDER_NAME = 'stripe';

/** Under this name our id stands in what Stripe keeps. */
export const DEPOSIT_ID = 'deposit_id';
/** And the id of the operator whose deposit it is. */
export const OPERATOR_ID = 'operator_id';

/** Whether a secret key moves real money: by its first letters, which Stripe sets (`sk_live_`, `rk_live_`). */
export function isLiveKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}

/** Why nothing of the other mode is booked: test money is no money, and a cashier with a test key promises none. */
const modeWord = (isLive: boolean): (typeof MODE_REPORTS)[number] => (isLive ? 'live-mode-report' : 'test-mode-report');

/** What Stripe says of an object; a contradiction where the object is of the other mode than our key. */
export function inMode(
  { livemode }: { readonly livemode: boolean },
  isLive: boolean,
  evidence: ProviderEvidence,
): ProviderEvidence {
  return livemode === isLive ? evidence : { ...evidence, contradiction: modeWord(livemode) };
}

/** What of an event of the other mode a person needs to know. Only the event itself says it; undefined where it is of no payment. */
export function evidenceOfOtherMode(event: Stripe.Event): ProviderEvidence | undefined {
  const outcome = outcomeOfEvent(event);
  if (outcome === undefined) return undefined;
  const { id, metadata, ...object } = event.data.object as OtherObject;
  const depositId = object.client_reference_id ?? metadata?.[DEPOSIT_ID];
  const currency = object.currency?.toUpperCase();
  const amount = object.amount_total ?? object.amount;
  return {
    provider: PROVIDER_NAME,
    providerRef: id,
    ...(depositId ? { depositId } : {}),
    ...operatorIn(metadata),
    outcome,
    ...(amount != null && currency !== undefined && { paidMinor: fromStripeAmount(amount, currency), currency }),
    contradiction: modeWord(event.livemode),
    // No event of our own mode has this name.
    eventId: `${modeWord(event.livemode)}:${event.id}`,
    at: new Date(event.created * 1000).toISOString(),
  };
}

function operatorIn(metadata: Stripe.Metadata | null | undefined): Pick<ProviderEvidence, 'operatorId'> {
  const operatorId = metadata?.[OPERATOR_ID];
  return operatorId ? { operatorId } : {};
}

/** The members that sessions, charges, disputes and refunds share. */
interface OtherObject {
  readonly id: string;
  readonly client_reference_id?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly amount_total?: number | null;
  readonly amount?: number | null;
  readonly currency?: string | null;
}

function outcomeOfEvent(event: Stripe.Event): ProviderEvidence['outcome'] | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return event.data.object.payment_status === 'paid' ? 'paid' : 'pending';
    case 'checkout.session.async_payment_failed':
      return 'declined';
    case 'checkout.session.expired':
      return 'expired';
    case 'charge.refunded':
    case 'charge.dispute.funds_withdrawn':
      return 'reversed';
    case 'charge.dispute.funds_reinstated':
    case 'refund.failed':
      return 'returned';
    default:
      return undefined;
  }
}

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
    ...operatorIn(session.metadata),
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
