/** Creates a transaction on Paystack's page. The payer types the card or chooses the bank there. */
import { type ProviderCreateResult, type ProviderDeposit, textIn } from '@opencashier/provider-kit';
import { codeOf, dataOf, type PaystackApi, toHundredths } from './transactions.ts';

/**
 * `Provider.create` at Paystack. The reference is our id, and Paystack takes each reference once. A repeated create gets the page that
 * the cashier stored.
 *
 * @throws on a broken connection: the outcome is unknown
 */
export async function createTransaction(api: PaystackApi, deposit: ProviderDeposit): Promise<ProviderCreateResult> {
  const { depositId, operatorId, amountMinor, currency, fields, providerOptions, returnUrl } = deposit;
  const amount = toHundredths(amountMinor, currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const { email } = fields;
  // Paystack refuses a transaction without it. The method's form asks for it.
  if (email === undefined) return { kind: 'declined', code: 'email-missing', cause: 'wrong-details' };
  const { channel = 'any' } = providerOptions;
  const body = JSON.stringify({
    reference: depositId,
    email,
    amount,
    currency,
    callback_url: returnUrl,
    ...(channel !== 'any' && { channels: [channel] }),
    metadata: { deposit_id: depositId, operator_id: operatorId, cancel_action: returnUrl },
  });
  const signal = api.begin(deposit.signal);
  const { status, body: answer } = await api.send('/transaction/initialize', { method: 'POST', body, signal });
  if (codeOf(answer) === 'duplicate_reference') return known(deposit);
  // Refused before anything was made: a wrong request or key, or one request too many.
  if ([400, 401, 403, 422, 429].includes(status)) return { kind: 'failed', code: `http-${status}` };
  if (status !== 200) return { kind: 'unknown', code: `http-${status}` };
  const page = textIn(dataOf(answer), 'authorization_url', /^https:\/\/[^\s]{1,2000}$/);
  await deposit.keepRequest?.(JSON.stringify({ page }));
  return { kind: 'created', providerRef: depositId, source: page };
}

/**
 * An earlier create made the transaction. Paystack does not tell its page again. Where the first answer was lost, nobody has the page,
 * and nobody can pay there.
 */
async function known({ depositId, keepRequest }: ProviderDeposit): Promise<ProviderCreateResult> {
  const kept = await keepRequest?.(JSON.stringify({}));
  const { page } = JSON.parse(kept ?? '{}') as { readonly page?: string };
  if (page === undefined) return { kind: 'unknown', code: 'page-lost' };
  return { kind: 'created', providerRef: depositId, source: page };
}
