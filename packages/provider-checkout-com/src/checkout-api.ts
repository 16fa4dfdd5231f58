/** The calls of Checkout.com's API that the provider makes, and the parts of its objects that it reads. */
import {
  askCompany,
  type CompanyAnswer,
  type CompanyRequest,
  type JsonRecord,
  numberIn,
  recordOf,
  recordsOf,
  textIn,
  timeIn,
} from '@opencashier/provider-kit';
import { fromCheckoutAmount } from './checkout-amount.ts';

/** Below the limits of the cashier: 15 s for a create, 10 s for everything else. */
const TIMEOUT_MS = 9_000;

/** `GET /payments` gives at most so many. A deposit with more attempts is shown to staff, because its reading fails. */
const MOST_PAYMENTS = 100;

/** A payment, which is one attempt on the hosted page. */
export interface CheckoutPayment {
  readonly id: string;
  /** What the request of the page named: our id of the deposit. Absent where the payment is none of the cashier's. */
  readonly depositId: string | undefined;
  readonly operatorId: string | undefined;
  readonly status: string;
  /** What was captured, in minor units of the cashier. 0: nothing. */
  readonly capturedMinor: bigint;
  readonly currency: string;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** A step of a payment, such as its capture or a refund. */
export interface CheckoutAction {
  readonly id: string;
  readonly type: string;
  readonly amountMinor: bigint;
  readonly reference: string | undefined;
  /** Absent while the step is in progress. */
  readonly isApproved: boolean | undefined;
  readonly responseCode: string | undefined;
  /** ISO 8601. */
  readonly processedAt: string;
}

export interface CheckoutApi {
  /** The signal of one call of the cashier. All requests of the call share it. */
  begin(...signals: readonly AbortSignal[]): AbortSignal;
  send(path: string, request: Omit<CompanyRequest, 'headers'> & { readonly key?: string }): Promise<CompanyAnswer>;
  /** @returns `undefined` when Checkout.com does not know the payment. @throws when it does not answer */
  payment(id: string, signal: AbortSignal): Promise<CheckoutPayment | undefined>;
  /** Every attempt of a deposit. @throws when Checkout.com does not answer */
  paymentsOf(depositId: string, signal: AbortSignal): Promise<readonly CheckoutPayment[]>;
  /** @throws when Checkout.com does not answer */
  actions(payment: CheckoutPayment, signal: AbortSignal): Promise<readonly CheckoutAction[]>;
}

export const PAYMENT_ID = /^pay_\w{1,60}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createCheckoutApi({ apiUrl, secretKey }: { apiUrl: string; secretKey: string }): CheckoutApi {
  const send: CheckoutApi['send'] = (path, { key, ...request }) =>
    askCompany(`${apiUrl}${path}`, {
      ...request,
      headers: { authorization: `Bearer ${secretKey}`, ...(key !== undefined && { 'cko-idempotency-key': key }) },
    });
  const got = async (path: string, signal: AbortSignal): Promise<unknown> => {
    const { status, body } = await send(path, { signal });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`Checkout.com answered with status ${status}`);
    return body;
  };
  return {
    begin: (...signals) => AbortSignal.any([...signals, AbortSignal.timeout(TIMEOUT_MS)]),
    send,
    async payment(id, signal) {
      const body = await got(`/payments/${encodeURIComponent(id)}`, signal);
      return body === undefined ? undefined : paymentOf(recordOf(body, 'the payment'));
    },
    async paymentsOf(depositId, signal) {
      const query = new URLSearchParams({ reference: depositId, limit: String(MOST_PAYMENTS), skip: '0' });
      const body = await got(`/payments?${query}`, signal);
      if (body === undefined) return [];
      const list = recordOf(body, 'the list');
      const payments = recordsOf(list['data'] ?? [], 'data').map(paymentOf);
      if (numberIn(list, 'total_count') > payments.length) throw new Error('The deposit has too many payments');
      return payments.filter((payment) => payment.depositId === depositId);
    },
    async actions({ id, currency }, signal) {
      const body = await got(`/payments/${encodeURIComponent(id)}/actions`, signal);
      return recordsOf(body ?? [], 'the actions').map((action) => actionOf(action, currency));
    },
  };
}

/** Statuses of which money was captured. Some methods have `Paid` in place of `Captured`. */
const CAPTURED = new Set(['Captured', 'Partially Captured', 'Refunded', 'Partially Refunded', 'Paid']);

function paymentOf(given: JsonRecord): CheckoutPayment {
  const status = textIn(given, 'status');
  const currency = textIn(given, 'currency', /^[A-Z]{3}$/);
  const metadata = optionalRecord(given, 'metadata');
  const reference = optionalText(given, 'reference');
  const isOurs = reference !== undefined && UUID.test(reference) && optionalText(metadata, 'deposit_id') === reference;
  return {
    id: textIn(given, 'id', PAYMENT_ID),
    depositId: isOurs ? reference : undefined,
    operatorId: optionalText(metadata, 'operator_id'),
    status,
    capturedMinor: CAPTURED.has(status) ? capturedOf(given, status, currency) : 0n,
    currency,
    requestedAt: timeIn(given, 'requested_on'),
  };
}

/** @throws when a part was captured, and the payment does not say how much */
function capturedOf(given: JsonRecord, status: string, currency: string): bigint {
  const balances = optionalRecord(given, 'balances');
  const isWhole = balances['total_captured'] === undefined && status !== 'Partially Captured';
  return fromCheckoutAmount(isWhole ? numberIn(given, 'amount') : numberIn(balances, 'total_captured'), currency);
}

function actionOf(given: JsonRecord, currency: string): CheckoutAction {
  const approved = given['approved'];
  return {
    id: textIn(given, 'id', /^act_\w{1,60}$/),
    type: textIn(given, 'type'),
    amountMinor: fromCheckoutAmount(numberIn(given, 'amount'), currency),
    reference: optionalText(given, 'reference'),
    isApproved: typeof approved === 'boolean' ? approved : undefined,
    responseCode: optionalText(given, 'response_code'),
    processedAt: timeIn(given, 'processed_on'),
  };
}

function optionalRecord(given: JsonRecord, name: string): JsonRecord {
  return recordOf(given[name] ?? {}, name);
}

function optionalText(given: JsonRecord, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
