/** Refunds that the cashier asks Checkout.com for. */
import type { ProviderRefund, ProviderRefundResult } from '@opencashier/provider-kit';
import { toCheckoutAmount } from './checkout-amount.ts';
import type { CheckoutAction, CheckoutApi, CheckoutPayment } from './checkout-api.ts';
import { firstCaptured } from './payment-reports.ts';

/**
 * `Provider.refund` at Checkout.com. It forgets idempotency keys after a day, and the cashier asks about a refund for a month. So it
 * searches for the refund first, by our id, which is the refund's reference.
 *
 * @throws when Checkout.com does not answer: the outcome is unknown
 */
export async function refundPayment(api: CheckoutApi, asked: ProviderRefund): Promise<ProviderRefundResult> {
  const { refundId, amountMinor, currency } = asked;
  const amount = toCheckoutAmount(amountMinor, currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const signal = api.begin();
  const payment = await paymentOf(api, asked, signal);
  if (payment === undefined) return { kind: 'declined', code: 'not-paid' };
  const found = await search(api, payment, refundId, signal);
  if (found !== undefined) return found;
  const { status } = await api.send(`/payments/${encodeURIComponent(payment.id)}/refunds`, {
    method: 'POST',
    body: JSON.stringify({ amount, reference: refundId }),
    key: refundId,
    signal,
  });
  if (status === 202) return { kind: 'accepted', isDone: false };
  // A refusal of this refund, or of a second one that an earlier try left no money for.
  if (status === 403 || status === 422) {
    return (await search(api, payment, refundId, signal)) ?? { kind: 'declined', code: `http-${status}` };
  }
  return { kind: 'unknown', code: `http-${status}` };
}

async function paymentOf(
  api: CheckoutApi,
  { depositId, providerRef }: ProviderRefund,
  signal: AbortSignal,
): Promise<CheckoutPayment | undefined> {
  const payments = await api.paymentsOf(depositId, signal);
  const captured = payments.filter(({ capturedMinor }) => capturedMinor > 0n);
  return captured.find(({ id }) => id === providerRef) ?? firstCaptured(api, captured, signal);
}

/** The outcome of the refund under our id. `undefined`: Checkout.com has none. */
async function search(
  api: CheckoutApi,
  payment: CheckoutPayment,
  refundId: string,
  signal: AbortSignal,
): Promise<ProviderRefundResult | undefined> {
  const isOurs = ({ type, reference }: CheckoutAction) => type === 'Refund' && reference === refundId;
  const refund = (await api.actions(payment, signal)).find(isOurs);
  if (refund === undefined) return undefined;
  if (refund.isApproved === false) return { kind: 'declined', code: refund.responseCode ?? 'refund-declined' };
  return { kind: 'accepted', isDone: refund.isApproved === true };
}
