/** Reads Stripe's events: what happened to a payment, and which refund or dispute changed it. */
import Stripe from 'stripe';
import type { DepositReport } from '../provider.ts';
import { causeOf } from './decline-cause.ts';
import { refundOfEvent } from './refund-of-event.ts';
import { withCard } from './stripe-cards.ts';
import {
  PAYOUT_ID,
  REFUND_ID,
  reportOfFailedSession,
  reportOfOtherMode,
  reportOfReturn,
  reportOfReversal,
  reportOfSession,
} from './stripe-reports.ts';
import { intentId, sessionOfIntent } from './stripe-sessions.ts';

/**
 * `Provider.read` at Stripe.
 * @param isLive whether our key is a live key
 * @throws when the body makes no sense, or when Stripe does not answer or does not list the refund yet
 */
export async function readEvent(
  stripe: Stripe,
  isLive: boolean,
  rawBody: Uint8Array,
): Promise<DepositReport | undefined> {
  const event = JSON.parse(Buffer.from(rawBody).toString('utf8')) as Stripe.Event;
  // A key cannot read objects of the other mode, so nothing is asked about such an event.
  if (event.livemode !== isLive) return reportOfOtherMode(event);
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return withCard(stripe, event.data.object, reportOfSession(event.data.object, event.created));
    case 'checkout.session.expired':
      return reportOfSession(event.data.object, event.created);
    case 'checkout.session.async_payment_failed':
      return {
        ...reportOfFailedSession(event.data.object, event.created),
        ...(await failureCause(stripe, event.data.object)),
      };
    case 'charge.refunded':
      return refunded(stripe, event);
    case 'charge.dispute.funds_withdrawn': {
      const { id, payment_intent, amount } = event.data.object;
      const session = await sessionOfIntent(stripe, payment_intent);
      return session && reportOfReversal(session, { cause: id, amount }, event.created);
    }
    case 'charge.dispute.funds_reinstated': {
      const { id, payment_intent, amount } = event.data.object;
      const session = await sessionOfIntent(stripe, payment_intent);
      return session && reportOfReturn(session, { cause: id, amount }, event.created);
    }
    // Two names of one event. Which one Stripe sends depends on the version of its API.
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundReturned(stripe, event.data.object, event.created);
    default:
      return undefined;
  }
}

/** A refund of the whole payment or of a part, by the cashier or in Stripe's dashboard. */
async function refunded(stripe: Stripe, event: Stripe.ChargeRefundedEvent): Promise<DepositReport | undefined> {
  const { id, payment_intent, refunded: isWholeCharge } = event.data.object;
  const session = await sessionOfIntent(stripe, payment_intent);
  if (session === undefined) return undefined;
  const refund = await refundAt(stripe, event);
  // The money was paid out to the card. The withdrawal has it booked, and the deposit stays credited.
  if (refund?.metadata?.[PAYOUT_ID] !== undefined) return undefined;
  // Stripe's list may lag behind the event. The inbox reads the event again.
  if (refund === undefined && !isWholeCharge) throw new Error('Stripe does not list the refund yet');
  const moved = { cause: refund?.id ?? id, amount: refund?.amount ?? session.amount_total };
  // The cashier refunds whole payments only.
  const isWhole = moved.amount === session.amount_total;
  const refundId = isWhole ? refund?.metadata?.[REFUND_ID] : undefined;
  return reportOfReversal(session, moved, event.created, refundId);
}

/** The refund behind an event. Undefined where Stripe lists none. @throws when several fit, see {@link refundOfEvent} */
async function refundAt(stripe: Stripe, event: Stripe.ChargeRefundedEvent): Promise<Stripe.Refund | undefined> {
  const { payment_intent: intent, amount_refunded: after } = event.data.object;
  if (intent === null) return undefined;
  const { data } = await stripe.refunds.list({ payment_intent: intentId(intent), limit: 100 });
  const before = event.data.previous_attributes?.amount_refunded;
  return refundOfEvent(data, { at: event.created, before, after });
}

/** A refund that failed: its money is at Stripe again. */
async function refundReturned(stripe: Stripe, refund: Stripe.Refund, at: number): Promise<DepositReport | undefined> {
  if (refund.status !== 'failed' && refund.status !== 'canceled') return undefined;
  // The failure of a payout. The half that pays out reads it.
  if (refund.metadata?.[PAYOUT_ID] !== undefined) return undefined;
  const session = await sessionOfIntent(stripe, refund.payment_intent);
  const moved = { cause: refund.id, amount: refund.amount };
  return session && reportOfReturn(session, moved, at, refund.metadata?.[REFUND_ID]);
}

/** Why a later settlement failed. Only the session's payment says why. */
async function failureCause(
  stripe: Stripe,
  { payment_intent: named }: Stripe.Checkout.Session,
): Promise<ReturnType<typeof causeOf>> {
  if (!named) return {};
  const intent =
    typeof named === 'string' ? await stripe.paymentIntents.retrieve(named).catch(undefinedIfRefused) : named;
  return causeOf(intent?.last_payment_error?.decline_code, intent?.last_payment_error?.code);
}

/** The failure itself is certain, so a payment that may not be read only hides its cause. Another try would be refused too. */
function undefinedIfRefused(error: unknown): undefined {
  const { StripePermissionError, StripeInvalidRequestError } = Stripe.errors;
  if (error instanceof StripePermissionError || error instanceof StripeInvalidRequestError) return undefined;
  throw error;
}
