/** The calls of Paystack's API that the provider makes, and the parts of its objects that it reads. */
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

/** Below the limits of the cashier: 15 s for a create, 10 s for everything else. */
const TIMEOUT_MS = 9_000;
/** The most refunds of one transaction that are read. A full page may not be the whole list, so its reading fails. */
const MOST_REFUNDS = 100;

/** The currencies of Paystack's API. It counts each in hundredths, as the cashier does. */
const CURRENCIES = new Set(['GHS', 'KES', 'NGN', 'USD', 'ZAR']);

export interface Transaction {
  readonly id: number;
  /** Our id of the deposit. */
  readonly depositId: string;
  readonly operatorId: string | undefined;
  readonly status: string;
  /** What the payer paid for the deposit, in hundredths. Paystack's fee, where the payer bears it, is no part of it. */
  readonly paidMinor: bigint;
  readonly currency: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Whether money was taken, also where it was returned since. */
  readonly wasPaid: boolean;
  /** What the bank said, in its own words. For staff. */
  readonly reason: string | undefined;
}

export interface PaystackRefund {
  readonly id: number;
  readonly status: string;
  readonly amountMinor: bigint;
  /** The note of the request. The cashier writes its id of the refund there. */
  readonly note: string | undefined;
  /** The dispute that the refund ended. */
  readonly dispute: number | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface PaystackApi {
  /** The signal of one call of the cashier. All requests of the call share it. */
  begin(...signals: readonly AbortSignal[]): AbortSignal;
  send(path: string, request: Omit<CompanyRequest, 'headers'>): Promise<CompanyAnswer>;
  /** @returns `undefined` when Paystack does not know the reference, or it is none of the cashier's. @throws when it does not answer */
  transaction(reference: string, signal: AbortSignal): Promise<Transaction | undefined>;
  /** @throws when Paystack does not answer */
  refunds(transaction: Transaction, signal: AbortSignal): Promise<readonly PaystackRefund[]>;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns the amount in Paystack's hundredths. `undefined`: not payable there */
export function toHundredths(minor: bigint, currency: string): number | undefined {
  return CURRENCIES.has(currency) && minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : undefined;
}

/** @throws RangeError for an amount that is no whole number of hundredths. Some webhooks write it as text. */
export function fromHundredths(given: unknown): bigint {
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || !/^\d{1,16}$/.test(text)) throw new RangeError('amount is no whole number');
  return BigInt(text);
}

export function createPaystackApi({ apiUrl, secretKey }: { apiUrl: string; secretKey: string }): PaystackApi {
  const send: PaystackApi['send'] = (path, request) =>
    askCompany(`${apiUrl}${path}`, { ...request, headers: { authorization: `Bearer ${secretKey}` } });
  return {
    begin: (...signals) => AbortSignal.any([...signals, AbortSignal.timeout(TIMEOUT_MS)]),
    send,
    async transaction(reference, signal) {
      const { status, body } = await send(`/transaction/verify/${encodeURIComponent(reference)}`, { signal });
      if (status === 404 || (status === 400 && codeOf(body) === 'transaction_not_found')) return undefined;
      if (status !== 200) throw new Error(`Paystack answered with status ${status}`);
      return transactionOf(dataOf(body));
    },
    async refunds({ id }, signal) {
      const query = new URLSearchParams({ transaction: String(id), perPage: String(MOST_REFUNDS) });
      const { status, body } = await send(`/refund?${query}`, { signal });
      if (status !== 200) throw new Error(`Paystack answered with status ${status}`);
      const list = recordsOf(recordOf(body, 'the answer')['data'], 'data');
      if (list.length >= MOST_REFUNDS) throw new Error('The transaction has too many refunds');
      return list.filter((refund) => refund['transaction'] === id).map(refundOf);
    },
  };
}

/** Paystack's word for what was wrong, such as `duplicate_reference`. */
export function codeOf(body: unknown): string | undefined {
  const code = typeof body === 'object' && body !== null ? (body as JsonRecord)['code'] : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : undefined;
}

export function dataOf(body: unknown): JsonRecord {
  return recordOf(recordOf(body, 'the answer')['data'], 'data');
}

/** Statuses with which the payer has paid. `reversed`: the money was taken, and went back since, by an event of its own. */
const PAID = new Set(['success', 'reversed']);

/** Whether money was taken, also where it was returned since. */
export function wasPaid(given: JsonRecord): boolean {
  return PAID.has(textIn(given, 'status')) && typeof given['paid_at'] === 'string';
}

/** What the payer paid for the deposit, and what they paid of Paystack's fee beyond it. Hundredths. */
export function paidAmount(given: JsonRecord): { readonly paid: bigint; readonly borne: bigint } {
  const amount = fromHundredths(given['amount']);
  const asked = fromHundredths(given['requested_amount'] ?? given['amount']);
  return amount > asked ? { paid: asked, borne: amount - asked } : { paid: amount, borne: 0n };
}

/** @returns `undefined`: the transaction is none of the cashier's */
export function ownDepositId(given: JsonRecord): string | undefined {
  const reference = textIn(given, 'reference');
  return UUID.test(reference) && metadataOf(given)['deposit_id'] === reference ? reference : undefined;
}

function metadataOf(given: JsonRecord): JsonRecord {
  return typeof given['metadata'] === 'object' ? recordOf(given['metadata'] ?? {}, 'metadata') : {};
}

function transactionOf(given: JsonRecord): Transaction | undefined {
  const depositId = ownDepositId(given);
  if (depositId === undefined) return undefined;
  const operator = metadataOf(given)['operator_id'];
  const reason = given['gateway_response'];
  return {
    id: numberIn(given, 'id'),
    depositId,
    operatorId: typeof operator === 'string' ? operator : undefined,
    status: textIn(given, 'status'),
    paidMinor: paidAmount(given).paid,
    currency: textIn(given, 'currency', /^[A-Z]{3}$/),
    createdAt: timeIn(given, 'created_at'),
    wasPaid: wasPaid(given),
    reason: typeof reason === 'string' && reason !== '' ? reason.slice(0, 200) : undefined,
  };
}

function refundOf(given: JsonRecord): PaystackRefund {
  const [note, dispute] = [given['merchant_note'], given['dispute']];
  return {
    id: numberIn(given, 'id'),
    status: textIn(given, 'status'),
    amountMinor: fromHundredths(given['amount']),
    note: typeof note === 'string' ? note : undefined,
    dispute: typeof dispute === 'number' ? dispute : undefined,
    createdAt: timeIn(given, 'created_at'),
  };
}
