/** Reads webhooks. Each names a payment, and the payment itself says what happened: webhooks come late, twice and in any order. */
import { type DepositReport, type JsonRecord, numberIn, recordOf, textIn, timeIn } from '@opencashier/provider-kit';
import { fromCheckoutAmount } from './checkout-amount.ts';
import { type CheckoutPayment, PAYMENT_ID } from './checkout-api.ts';
import { firstCaptured, NAME, type ReportRules, refOf, reportOfDeposit } from './payment-reports.ts';

const DISPUTE_ID = /^dsp_\w{1,60}$/;

/** The disputed amount was taken from the account. Later events about the same dispute repeat that. */
const TAKEN = new Set(['dispute_evidence_required', 'dispute_expired', 'dispute_accepted', 'dispute_lost']);
/** The amount is on the account again. A dispute that was lost may still be won in arbitration. */
const GIVEN_BACK = new Set(['dispute_won', 'dispute_canceled', 'dispute_arbitration_won']);

/**
 * `Provider.read` at Checkout.com.
 * @returns `undefined` for an event about no deposit, or one that moves no money
 * @throws when the body makes no sense, or when Checkout.com does not answer
 */
export async function readWebhook(rules: ReportRules, rawBody: Uint8Array): Promise<DepositReport | undefined> {
  const event = recordOf(JSON.parse(new TextDecoder().decode(rawBody)), 'the webhook');
  const type = textIn(event, 'type', /^\w{1,100}$/);
  const isDispute = type.startsWith('dispute_');
  if (!isDispute && !type.startsWith('payment_')) return undefined;
  const data = recordOf(event['data'], 'data');
  const signal = rules.api.begin();
  const id = textIn(data, isDispute ? 'payment_id' : 'id', PAYMENT_ID);
  const payment = await rules.api.payment(id, signal);
  const depositId = payment?.depositId;
  if (payment === undefined || depositId === undefined) return undefined;
  const payments = await rules.api.paymentsOf(depositId, signal);
  // The list may lag behind the payment.
  const all = [...payments.filter((one) => one.id !== payment.id), payment];
  if (isDispute) return disputed({ rules, type, data, payment, depositId, all, signal });
  if (type === 'payment_refunded') return refunded({ rules, type, data, payment, depositId, all, signal });
  return type === 'payment_refund_declined' ? undefined : reportOfDeposit(rules, depositId, all, signal, payment);
}

interface Reading {
  readonly rules: ReportRules;
  readonly type: string;
  readonly data: JsonRecord;
  readonly payment: CheckoutPayment;
  readonly depositId: string;
  /** Every attempt of the deposit. */
  readonly all: readonly CheckoutPayment[];
  readonly signal: AbortSignal;
}

/** What every report about money that left, or came back, has. @throws while nothing is captured: the event is read again */
async function moved({ rules, payment, depositId, all, signal }: Reading) {
  const captured = all.filter(({ capturedMinor }) => capturedMinor > 0n);
  if (payment.capturedMinor === 0n) throw new Error('The payment is not captured yet');
  const first = await firstCaptured(rules.api, captured, signal);
  return {
    provider: NAME,
    providerRef: refOf(depositId, payment, first),
    depositId,
    ...(payment.operatorId !== undefined && { operatorId: payment.operatorId }),
    currency: payment.currency,
  };
}

/** Empty for the whole payment. For a smaller amount: the amount, and the id by which this part is known. */
function partOf({ capturedMinor }: CheckoutPayment, amountMinor: bigint, part: string): Partial<DepositReport> {
  if (amountMinor === capturedMinor) return {};
  if (amountMinor > capturedMinor) return { contradiction: 'more-than-was-paid' };
  return { part, paidMinor: amountMinor };
}

/** A refund of the whole payment or of a part, by the cashier or in the dashboard. */
async function refunded(reading: Reading): Promise<DepositReport> {
  const { rules, data, payment, depositId, signal } = reading;
  const actionId = textIn(data, 'action_id', /^act_\w{1,60}$/);
  const action = (await rules.api.actions(payment, signal)).find(({ id }) => id === actionId);
  if (action === undefined) throw new Error('Checkout.com does not list the refund yet');
  const isOurs =
    action.reference !== undefined && action.reference !== depositId && isWhole(payment, action.amountMinor);
  return {
    ...(await moved(reading)),
    outcome: 'reversed',
    ...partOf(payment, action.amountMinor, action.id),
    ...(isOurs && { refundId: action.reference }),
    eventId: `${payment.id}:refunded:${action.id}`,
    at: action.processedAt,
  };
}

/** The cashier refunds whole payments only. */
function isWhole({ capturedMinor }: CheckoutPayment, amountMinor: bigint): boolean {
  return capturedMinor === amountMinor;
}

/** A chargeback, or its end. */
async function disputed(reading: Reading): Promise<DepositReport | undefined> {
  const { type, data, payment } = reading;
  const dispute = textIn(data, 'id', DISPUTE_ID);
  if (!TAKEN.has(type) && !GIVEN_BACK.has(type)) return undefined;
  const currency = textIn(data, 'currency', /^[A-Z]{3}$/);
  const amount = fromCheckoutAmount(numberIn(data, 'amount'), currency);
  // An amount in another currency cannot be compared with what was captured, so staff look at it.
  const part = currency === payment.currency ? partOf(payment, amount, dispute) : { contradiction: 'other-currency' };
  const shared = { ...(await moved(reading)), ...part, at: timeIn(data, 'date') };
  if (TAKEN.has(type)) return { ...shared, outcome: 'reversed', eventId: `${dispute}:taken` };
  return {
    ...shared,
    // Money that comes back is a payment of its own.
    providerRef: `${dispute}:returned`,
    outcome: 'returned',
    paidMinor: amount,
    eventId: `${dispute}:returned`,
  };
}
