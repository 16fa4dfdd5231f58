/** Turns transactions, refunds and disputes of Paystack into reports. One fact has one event id, whoever tells it. */
import { type DepositReport, type JsonRecord, numberIn, recordOf, textIn } from '@opencashier/provider-kit';
import { fromHundredths, type PaystackApi, type PaystackRefund, type Transaction } from './transactions.ts';

export const NAME = 'paystack';

/** The state of a transaction. An abandoned one can still be paid: so Paystack calls each until its payer pays. */
export function reportOfTransaction(transaction: Transaction): DepositReport {
  const { status, wasPaid, paidMinor, currency, depositId, reason } = transaction;
  if (wasPaid) return { ...known(transaction), outcome: 'paid', paidMinor, currency, eventId: `${depositId}:paid` };
  if (status !== 'failed') return { ...known(transaction), outcome: 'pending', eventId: `${depositId}:open` };
  return {
    ...known(transaction),
    outcome: 'declined',
    // Paystack has no codes of declines, and a bank's free text may name a risk check. So staff read it, and the payer does not.
    ...(reason !== undefined && { reason }),
    eventId: `${depositId}:failed`,
  };
}

function known({ depositId, operatorId, createdAt }: Transaction) {
  return {
    provider: NAME,
    providerRef: depositId,
    depositId,
    ...(operatorId !== undefined && { operatorId }),
    at: createdAt,
  };
}

/**
 * `Provider.read` at Paystack.
 * @returns `undefined` for an event about no deposit, or one that moves no money
 * @throws when the body makes no sense, or when Paystack does not answer or does not list the refund yet
 */
export async function readWebhook(api: PaystackApi, rawBody: Uint8Array): Promise<DepositReport | undefined> {
  const message = recordOf(JSON.parse(new TextDecoder().decode(rawBody)), 'the webhook');
  const event = textIn(message, 'event', /^[\w.-]{1,100}$/);
  if (event === 'charge.success') {
    const data = recordOf(message['data'], 'data');
    const transaction = await api.transaction(textIn(data, 'reference'), api.begin());
    return transaction && reportOfTransaction(transaction);
  }
  if (event === 'refund.processed') return refunded(api, recordOf(message['data'], 'data'));
  if (event === 'charge.dispute.resolve') return disputed(api, recordOf(message['data'], 'data'));
  return undefined;
}

/** The webhook of a refund names neither our note nor Paystack's id, so the list of refunds says which one it was. */
async function refunded(api: PaystackApi, data: JsonRecord): Promise<DepositReport | undefined> {
  const signal = api.begin();
  const transaction = await api.transaction(textIn(data, 'transaction_reference'), signal);
  if (transaction === undefined) return undefined;
  const amount = fromHundredths(data['amount']);
  const fitting = (await api.refunds(transaction, signal)).filter(
    ({ status, amountMinor }) => status === 'processed' && amountMinor === amount,
  );
  const [refund, ...others] = fitting;
  if (refund === undefined) throw new Error('Paystack does not list the refund yet');
  if (others.length > 0) throw new Error('Several refunds have this amount');
  return reversal(transaction, refund);
}

/** @returns what a processed refund took back. A refund by which a dispute ended is one fact with the dispute */
function reversal(
  transaction: Transaction,
  { id, amountMinor, note, dispute, createdAt }: PaystackRefund,
): DepositReport {
  const isWhole = amountMinor === transaction.paidMinor;
  const cause = dispute === undefined ? `refund-${id}` : `dispute-${dispute}`;
  const refundId = refundIdIn(note);
  return {
    ...known(transaction),
    outcome: 'reversed',
    currency: transaction.currency,
    ...partOf(transaction, amountMinor, cause),
    // The cashier refunds whole payments only.
    ...(refundId !== undefined && isWhole && dispute === undefined && { refundId }),
    eventId: `${transaction.depositId}:${cause}`,
    at: createdAt,
  };
}

/** The note that the cashier writes on its refunds, with its id of the refund. */
export const noteOf = (refundId: string): string => `cashier ${refundId}`;
const REFUND_NOTE = /^cashier ([\w-]{1,100})$/;

/** The cashier's id of a refund. `undefined`: somebody else made it. */
export function refundIdIn(note: unknown): string | undefined {
  return typeof note === 'string' ? REFUND_NOTE.exec(note)?.[1] : undefined;
}

/** Empty for the whole payment. For a smaller amount: the amount, and the id by which this part is known. */
function partOf({ paidMinor }: Transaction, amountMinor: bigint, part: string): Partial<DepositReport> {
  if (amountMinor === paidMinor) return {};
  if (amountMinor > paidMinor) return { contradiction: 'more-than-was-paid' };
  return { part, paidMinor: amountMinor };
}

/** A dispute takes money when it is accepted, by you or by Paystack after its time. A declined one takes nothing. */
async function disputed(api: PaystackApi, data: JsonRecord): Promise<DepositReport | undefined> {
  const resolution = data['resolution'];
  if (resolution !== 'merchant-accepted' && resolution !== 'auto-accepted') return undefined;
  const reference = textIn(recordOf(data['transaction'], 'transaction'), 'reference');
  const transaction = await api.transaction(reference, api.begin());
  if (transaction === undefined) return undefined;
  return reversal(transaction, {
    id: 0,
    status: 'processed',
    amountMinor: fromHundredths(data['refund_amount']),
    note: undefined,
    dispute: numberIn(data, 'id'),
    createdAt: transaction.createdAt,
  });
}
