/** Checks the signature and the age of Stripe's callbacks. */
import Stripe from 'stripe';
import type { RawCallback, VerifiedCallback } from '../provider.ts';

/** A callback with an older signature may be a replay, and is refused. */
const TOLERANCE_S = 300;

/** `Provider.verify` at Stripe. @param secrets several during a change of the secret */
export function verifySignature(stripe: Stripe, secrets: readonly string[], callback: RawCallback): VerifiedCallback {
  const header = callback.headers['stripe-signature'];
  if (header === undefined) return { kind: 'rejected', reason: 'no-signature' };
  const body = Buffer.from(callback.rawBody);
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S, undefined, callback.receivedAt);
      return typeof event.id === 'string' && event.id !== ''
        ? { kind: 'verified', messageId: event.id }
        : { kind: 'rejected', reason: 'no-id' };
    } catch (error) {
      // The next secret may fit. A body that is not JSON is refused like a wrong signature.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
        throw error;
    }
  }
  return { kind: 'rejected', reason: 'wrong-signature' };
}
