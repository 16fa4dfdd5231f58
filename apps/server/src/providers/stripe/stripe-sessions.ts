/** Finds Checkout sessions at Stripe: by our deposit, or by the payment that a session took. */
import type Stripe from 'stripe';
import { DEPOSIT_ID } from './stripe-reports.ts';

type Session = Stripe.Checkout.Session;

/**
 * The session of a deposit whose create got no answer. Stripe's search index lags by up to a minute. The delay does no harm: nobody
 * was given the address of the session's page.
 */
export async function sessionOfDeposit(stripe: Stripe, depositId: string): Promise<Session | undefined> {
  const found = await stripe.paymentIntents.search({ query: `metadata['${DEPOSIT_ID}']:'${depositId}'`, limit: 1 });
  const [intent] = found.data;
  return intent === undefined ? undefined : sessionOfIntent(stripe, intent.id);
}

/** The session of a payment. Undefined where the payment is not ours, or where the event names no payment. */
export async function sessionOfIntent(
  stripe: Stripe,
  intent: string | Stripe.PaymentIntent | null,
): Promise<Session | undefined> {
  if (intent === null) return undefined;
  const found = await stripe.checkout.sessions.list({ payment_intent: intentId(intent), limit: 1 });
  return found.data[0];
}

/** Stripe names a payment by its id, or sends the whole object. */
export function intentId(intent: string | Stripe.PaymentIntent): string {
  return typeof intent === 'string' ? intent : intent.id;
}
