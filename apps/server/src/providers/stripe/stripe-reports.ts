/** Turns Stripe's objects into deposit_event about a payment. */
import type Stripe from 'stripe';
import type { DepositReport, MODE_REPORTS } from '../provider.ts';
import { fromStripeAmount } from './stripe-amount.ts';

export const PROVIDER_NAME = 'stripe';

/** The metadata fields in which Stripe keeps our ids: of the deposit, of its operator, and of a refund. */
export const DEPOSIT_ID = 'deposit_id';
export const OPERATOR_ID = 'operator_id';
export const REFUND_ID = 'refund_id';

/** The same for the refunds of a payout: the withdrawal, our id of the refund, and the whole payout in Stripe's unit. */
export const PAYOUT_ID = 'payout_id';
export const PAYOUT_REFUND_ID = 'payout_refund_id';
export const PAYOUT_TOTAL = 'payout_total';

/** Whether a secret key moves real money. Stripe writes it into the key (`sk_live_`, `rk_live_`). */
export function isLiveKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}

/** The contradiction of an object in the other mode than our key. Test money is worth nothing, so nothing is booked. */
const modeReport = (isLive: boolean): (typeof MODE_REPORTS)[number] =>
  isLive ? 'live-mode-report' : 'test-mode-report';

/** The report, with a contradiction where the object is of the other mode than our key. */
export function inMode(
  { livemode }: { readonly livemode: boolean },
  isLive: boolean,
  report: DepositReport,
): DepositReport {
  return livemode === isLive ? report : { ...report, contradiction: modeReport(livemode) };
}

/** A report from an event of the other mode, read from the event alone. Undefined where the event is about no payment. */
export function reportOfOtherMode(event: Stripe.Event): DepositReport | undefined {
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
    contradiction: modeReport(event.livemode),
    // Events of our own mode never have such an id.
    eventId: `${modeReport(event.livemode)}:${event.id}`,
    at: new Date(event.created * 1000).toISOString(),
  };
}

function operatorIn(metadata: Stripe.Metadata | null | undefined): Pick<DepositReport, 'operatorId'> {
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

function outcomeOfEvent(event: Stripe.Event): DepositReport['outcome'] | undefined {
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
 * A report from a Checkout session. The event id depends on the session's state alone. So a callback and an inquiry about the same
 * state are booked once.
 */
export function reportOfSession(session: Stripe.Checkout.Session, at: number): DepositReport {
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
      throw new Error('Stripe sent a paid session without its amount');
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
  // A complete but unpaid session settles later, such as by a bank debit.
  return { ...known, outcome: 'pending', eventId: `${session.id}:${session.status ?? 'open'}` };
}

/** A session whose later settlement failed. The session itself stays `complete` and `unpaid` for ever. */
export function reportOfFailedSession(session: Stripe.Checkout.Session, at: number): DepositReport {
  const { eventId: _, ...rest } = reportOfSession(session, at);
  return { ...rest, outcome: 'declined', reason: 'settlement-failed', eventId: `${session.id}:failed` };
}

/** The money that a refund or a dispute moved. */
export interface StripeMove {
  /** Stripe's id of the refund or dispute. */
  readonly cause: string;
  /** In Stripe's unit of the session's currency. Null where Stripe does not say. */
  readonly amount: number | null;
}

/** Empty for the whole payment. For a smaller amount: the amount, and the id by which this part is known. */
function partOf(session: Stripe.Checkout.Session, { cause, amount }: StripeMove): Partial<DepositReport> {
  if (amount === session.amount_total) return {};
  // An amount above the payment cannot be booked without staff.
  if (amount === null || session.amount_total === null || session.currency === null || amount > session.amount_total)
    return { contradiction: 'more-than-was-paid' };
  return { part: cause, paidMinor: fromStripeAmount(amount, session.currency.toUpperCase()) };
}

/**
 * Money that had left and is at Stripe again: a refund that failed, or a dispute that was won. It counts as a new payment, with a
 * `providerRef` of its own.
 * @param refundId our id of the refund that failed, where the cashier asked for it
 */
export function reportOfReturn(
  session: Stripe.Checkout.Session,
  moved: StripeMove,
  at: number,
  refundId?: string,
): DepositReport {
  const { eventId: _, outcome: _outcome, ...rest } = reportOfSession(session, at);
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
 * Money that left the payment: a refund or a dispute.
 * @param refundId our id of the refund, where the cashier asked for it
 */
export function reportOfReversal(
  session: Stripe.Checkout.Session,
  moved: StripeMove,
  at: number,
  refundId?: string,
): DepositReport {
  const { eventId: _, ...rest } = reportOfSession(session, at);
  return {
    ...rest,
    ...partOf(session, moved),
    outcome: 'reversed',
    eventId: `${session.id}:reversed:${moved.cause}`,
    ...(refundId !== undefined && { refundId }),
  };
}
