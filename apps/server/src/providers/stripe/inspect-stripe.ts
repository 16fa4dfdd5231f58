/** Asks Stripe whether it accepts the key of the settings, for `opencashier doctor`. It changes nothing. */
import type { Clock } from '@opencashier/core/time/clock';
import Stripe from 'stripe';
import { withinTime } from '../../jobs/within-time.ts';
import type { StripeOptions } from './stripe.ts';

/** `unreachable`: nobody knows. `may-not-read`: the key is good, but lacks a right that the cashier needs. */
type StripeAnswer =
  | { readonly kind: 'accepted' | 'refused' | 'may-not-read' }
  | { readonly kind: 'unreachable'; readonly why: string };

/** For the whole question, with its second try. ms. */
const ANSWER_WITHIN_MS = 8_000;
const ATTEMPT_MS = 4_000;

/** Lists one Checkout session, since the cashier needs this right anyway. Never throws, and never names the key. */
export function inspectStripe(
  { secretKey, api }: Pick<StripeOptions, 'secretKey' | 'api'>,
  clock: Clock,
): Promise<StripeAnswer> {
  const stripe = new Stripe(secretKey, { maxNetworkRetries: 1, timeout: ATTEMPT_MS, telemetry: false, ...api });
  const asked = stripe.checkout.sessions.list({ limit: 1 }).then(
    (): StripeAnswer => ({ kind: 'accepted' }),
    (error: unknown): StripeAnswer => {
      if (error instanceof Stripe.errors.StripeAuthenticationError) return { kind: 'refused' };
      if (error instanceof Stripe.errors.StripePermissionError) return { kind: 'may-not-read' };
      return { kind: 'unreachable', why: error instanceof Stripe.errors.StripeError ? error.type : 'no answer' };
    },
  );
  return withinTime(clock, ANSWER_WITHIN_MS, asked, () => ({ kind: 'unreachable', why: 'no answer in 8 seconds' }));
}
