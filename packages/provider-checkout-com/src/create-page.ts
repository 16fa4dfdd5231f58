/** Creates a Hosted Payments Page. The payer types the card there, so no card number comes near the cashier. */
import { type ProviderCreateResult, type ProviderDeposit, recordOf, textIn } from '@opencashier/provider-kit';
import { toCheckoutAmount } from './checkout-amount.ts';
import type { CheckoutApi } from './checkout-api.ts';

/**
 * `Provider.create` at Checkout.com. `POST /hosted-payments` knows no idempotency key, so a repeated create makes a page more. Only the
 * page that was stored first is ever given to a payer, and the others stay unknown to everybody.
 *
 * @throws on a broken connection. Nobody has the page's address then, and the cashier takes the outcome as unknown
 */
export async function createPage(
  api: CheckoutApi,
  processingChannelId: string,
  deposit: ProviderDeposit,
): Promise<ProviderCreateResult> {
  const { depositId, operatorId, amountMinor, currency, country, returnUrl, providerOptions } = deposit;
  const amount = toCheckoutAmount(amountMinor, currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const signal = api.begin(deposit.signal);
  const body = JSON.stringify({
    amount,
    currency,
    reference: depositId,
    processing_channel_id: processingChannelId,
    // Nothing is credited before the capture, so it comes at once.
    capture: true,
    billing: { address: { country } },
    '3ds': { enabled: true, ...(providerOptions['threeDs'] === 'when-needed' && { attempt_n3d: true }) },
    metadata: { deposit_id: depositId, operator_id: operatorId },
    success_url: returnUrl,
    failure_url: returnUrl,
    cancel_url: returnUrl,
  });
  const { status, body: answer } = await api.send('/hosted-payments', { method: 'POST', body, signal });
  // Refused before anything was made: a wrong request or key, or one request too many.
  if ([400, 401, 403, 422, 429].includes(status)) return { kind: 'failed', code: `http-${status}` };
  if (status !== 200 && status !== 201) return { kind: 'unknown', code: `http-${status}` };
  const made = JSON.stringify({ page: pageOf(answer) });
  const kept = (await deposit.keepRequest?.(made)) ?? made;
  const { page } = JSON.parse(kept) as { readonly page: string };
  return { kind: 'created', providerRef: depositId, source: page };
}

/** @throws for an answer without a page: the outcome is unknown */
function pageOf(answer: unknown): string {
  const links = recordOf(recordOf(answer, 'the page')['_links'], '_links');
  return textIn(recordOf(links['redirect'], 'redirect'), 'href', /^https:\/\/[^\s]{1,2000}$/);
}
