/**
 * Cards through Stripe Checkout, with Stripe's own library (SRV-4). The person pays on Stripe's page, so no card number comes near the
 * cashier. The session's id is `providerRef`. Our deposit id is the idempotency key, and is also on the session and its payment. See
 * docs/providers.md.
 */
import type { Clock } from '@opencashier/core/time/clock';
import Stripe from 'stripe';
import type { Provider } from '../provider.ts';
import { withCard } from './stripe-cards.ts';
import { createCheckout } from './stripe-checkout.ts';
import { readEvent } from './stripe-events.ts';
import { stripePayouts } from './stripe-payouts.ts';
import { refundAtStripe } from './stripe-refunds.ts';
import { inMode, isLiveKey, PROVIDER_NAME, reportOfSession } from './stripe-reports.ts';
import { sessionOfDeposit } from './stripe-sessions.ts';
import { verifySignature } from './stripe-signature.ts';

export interface StripeOptions {
  readonly secretKey: string;
  /** Signing secrets of the webhook endpoint. Several during a change of the secret. */
  readonly webhookSecrets: readonly string[];
  /** The name of the product on Stripe's page. Absent: the word for a deposit, in the payer's language. */
  readonly productName?: string;
  /** Another address of Stripe's API, for tests. */
  readonly api?: { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number };
  readonly clock: Clock;
}

/** How long one try of a request may take. */
const ATTEMPT_MS = 20_000;
/** Shorter than the time for which the cashier waits for a payout. */
const PAYOUT_ATTEMPT_MS = 12_000;

export function createStripeProvider(options: StripeOptions): Provider {
  const { clock, productName } = options;
  const stripe = new Stripe(options.secretKey, {
    // Safe, because the library repeats a request under the same idempotency key.
    maxNetworkRetries: 1,
    timeout: ATTEMPT_MS,
    telemetry: false,
    ...options.api,
  });
  // No request of a payout may begin after the cashier has stopped waiting. The reconciler repeats it instead.
  const payouts = new Stripe(options.secretKey, {
    maxNetworkRetries: 0,
    timeout: PAYOUT_ATTEMPT_MS,
    telemetry: false,
    ...options.api,
  });
  const isLive = isLiveKey(options.secretKey);

  return {
    name: PROVIDER_NAME,
    create: (deposit) => createCheckout(stripe, { productName, clock }, deposit),
    refund: (asked) => refundAtStripe(stripe, asked),
    withdrawals: stripePayouts(payouts, isLive),
    verify: (callback) => verifySignature(stripe, options.webhookSecrets, callback),
    read: (rawBody) => readEvent(stripe, isLive, rawBody),

    async inquire({ depositId, providerRef }) {
      const session =
        providerRef === undefined
          ? await sessionOfDeposit(stripe, depositId)
          : await stripe.checkout.sessions.retrieve(providerRef);
      if (session === undefined) return undefined;
      const report = inMode(session, isLive, reportOfSession(session, clock.now() / 1000));
      return withCard(stripe, session, report);
    },

    async cancel({ providerRef }) {
      await stripe.checkout.sessions.expire(providerRef);
    },
  };
}
