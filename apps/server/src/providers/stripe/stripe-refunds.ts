/** Refunds that the cashier asks Stripe for. */
import Stripe from 'stripe';
import type { ProviderRefund, ProviderRefundResult } from '../provider.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { DEPOSIT_ID, REFUND_ID } from './stripe-reports.ts';
import { intentId } from './stripe-sessions.ts';

/** `Provider.refund` at Stripe. @throws only for a mistake in the code */
export function refundAtStripe(stripe: Stripe, asked: ProviderRefund): Promise<ProviderRefundResult> {
  return refund(stripe, asked).catch(outcomeOfError);
}

async function refund(stripe: Stripe, asked: ProviderRefund): Promise<ProviderRefundResult> {
  const { depositId, providerRef, refundId } = asked;
  const amount = toStripeAmount(asked.amountMinor, asked.currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(providerRef);
  if (intent === null) return { kind: 'declined', code: 'not-paid' };
  const payment_intent = intentId(intent);
  // Search before creating. Stripe forgets idempotency keys after a day, and the cashier asks about a refund for a month.
  const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.[REFUND_ID] === refundId);
  const metadata = { [DEPOSIT_ID]: depositId, [REFUND_ID]: refundId };
  const made =
    known ?? (await stripe.refunds.create({ payment_intent, amount, metadata }, { idempotencyKey: refundId }));
  if (made.status === 'failed' || made.status === 'canceled') return { kind: 'declined', code: made.status };
  return { kind: 'accepted', isDone: made.status === 'succeeded' };
}

/**
 * What an error of a refund means for the money. A wrong key proves nothing, because an earlier try may have made the refund. Only
 * a refusal of this refund is certain.
 */
function outcomeOfError(error: unknown): ProviderRefundResult {
  const { errors } = Stripe;
  const isRefused =
    error instanceof errors.StripeCardError ||
    (error instanceof errors.StripeInvalidRequestError && error.statusCode === 400);
  if (isRefused) return { kind: 'declined', code: error.code ?? error.type };
  if (error instanceof errors.StripeError) return { kind: 'unknown', code: error.code ?? error.type };
  throw error;
}
