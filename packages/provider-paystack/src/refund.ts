/** Refunds that the cashier asks Paystack for. */
import type { ProviderRefund, ProviderRefundResult } from '@opencashier/provider-kit';
import { noteOf } from './reports.ts';
import type { PaystackApi, Transaction } from './transactions.ts';

/**
 * `Provider.refund` at Paystack. It has no idempotency key. So the note has our id, and the list of refunds is searched first. Only
 * whole payments are refunded: should the list lag, Paystack itself refuses a second refund of a whole payment.
 *
 * @throws when Paystack does not answer: the outcome is unknown
 */
export async function refundTransaction(api: PaystackApi, asked: ProviderRefund): Promise<ProviderRefundResult> {
  const { refundId, depositId, amountMinor } = asked;
  const signal = api.begin();
  const transaction = await api.transaction(depositId, signal);
  if (transaction === undefined || !transaction.wasPaid) return { kind: 'declined', code: 'not-paid' };
  const found = await search(api, transaction, refundId, signal);
  if (found !== undefined) return found;
  if (amountMinor !== transaction.paidMinor || asked.currency !== transaction.currency) {
    return { kind: 'declined', code: 'whole-payments-only' };
  }
  const note = noteOf(refundId);
  const body = JSON.stringify({ transaction: depositId, amount: Number(amountMinor), merchant_note: note });
  const { status } = await api.send('/refund', { method: 'POST', body, signal });
  if (status === 200) return { kind: 'accepted', isDone: false };
  // A refusal of this refund, or of a second one after a lost answer.
  if (status === 400 || status === 422) {
    return (await search(api, transaction, refundId, signal)) ?? { kind: 'declined', code: `http-${status}` };
  }
  return { kind: 'unknown', code: `http-${status}` };
}

/** The outcome of the refund under our id. `undefined`: Paystack lists none. */
async function search(
  api: PaystackApi,
  transaction: Transaction,
  refundId: string,
  signal: AbortSignal,
): Promise<ProviderRefundResult | undefined> {
  const refund = (await api.refunds(transaction, signal)).find(({ note }) => note === noteOf(refundId));
  if (refund === undefined) return undefined;
  if (refund.status === 'failed') return { kind: 'declined', code: 'refund-failed' };
  return { kind: 'accepted', isDone: refund.status === 'processed' };
}
