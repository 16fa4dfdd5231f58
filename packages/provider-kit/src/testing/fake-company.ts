/**
 * A company with a plain JSON interface on the loopback, to test a provider against. It keeps payments in memory, is idempotent by
 * `reference`, and signs its callbacks by an HMAC. Extend `CompanyServer` in the same way for what the documents of your company say.
 *
 * - `POST /payments` with `reference`, `amount` (decimal text), `currency`, `returnUrl`: 201, or 200 when the reference is known.
 * - `GET /payments/<reference>`: the payment, or 404.
 * - `POST /payments/<reference>/refunds` with `reference` (of the refund) and `amount`: 201 or 200, 409 above what is left.
 * - `GET /transactions?from=&to=&after=`: what moved from a time to before another one, oldest first: `{ items, after }`. `after` is absent
 *   on the last page.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fromDecimalText } from '../money-units.ts';
import type { RawCallback } from '../provider.ts';
import { type CompanyAnswer, CompanyServer } from './company-server.ts';

/** A payment, as the company sends it in answers and callbacks. */
export interface FakePayment {
  readonly id: string;
  /** Our id of the deposit. */
  readonly reference: string;
  state: 'open' | 'paid' | 'declined' | 'expired';
  readonly amount: string;
  readonly currency: string;
  /** The address of the company's page. */
  readonly page: string;
  /** ISO 8601. */
  readonly changed: string;
}

interface FakeRefund {
  readonly reference: string;
  readonly minor: bigint;
}

/** What moved, as the company lists it. */
export interface FakeTransaction {
  readonly id: string;
  readonly type: 'payment' | 'refund' | 'chargeback' | 'fee';
  /** The company's id of the payment. */
  readonly payment?: string;
  /** Our id of the deposit or of the refund. */
  readonly reference?: string;
  /** Signed decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** ISO 8601. */
  readonly time: string;
}

/** The company declines payments of this amount in any currency. */
export const DECLINED_AMOUNT = '4.02';
/** The same amount in minor units of a currency with hundredths. */
export const DECLINED_MINOR = 402n;

export class FakeCompany extends CompanyServer {
  /** What a provider sends as `Authorization: Bearer …`. */
  readonly secretKey: string = 'k'.repeat(32);
  /** The secret of the callbacks' signatures. */
  readonly webhookSecret: string = 'w'.repeat(32);
  readonly #now: () => number;
  readonly #payments = new Map<string, FakePayment>();
  readonly #refunds = new Map<string, FakeRefund[]>();
  /** The list of transactions, oldest first. Tests may add some. */
  readonly transactions: FakeTransaction[] = [];
  /** Transactions of one page. */
  pageOf = 100;

  /** @param now milliseconds since the epoch; absent: this machine's clock */
  constructor(now: () => number = Date.now) {
    super();
    this.#now = now;
  }

  /** Every payment that the company has, in their order. */
  get payments(): readonly FakePayment[] {
    return [...this.#payments.values()];
  }

  /**
   * The payer pays.
   * @param paidAt the time that the list of transactions has, in milliseconds since the epoch; absent: now
   * @returns the callback that the company sends, signed now
   */
  pay(reference: string, paidAt: number = this.#now()): RawCallback {
    const payment = this.#payments.get(reference);
    if (payment === undefined) throw new Error(`The company has no payment ${reference}`);
    if (payment.state !== 'paid') {
      const { id, amount, currency } = payment;
      this.#list({ type: 'payment', payment: id, reference, amount, currency }, paidAt);
    }
    payment.state = 'paid';
    return this.sign(JSON.stringify(payment));
  }

  /** The headers and the body of a callback, signed now. */
  sign(body: string): RawCallback {
    const rawBody = Buffer.from(body);
    const [id, time] = [randomUUID(), String(Math.floor(this.#now() / 1000))];
    const signature = createHmac('sha256', this.webhookSecret).update(`${id}.${time}.`).update(rawBody).digest('hex');
    const headers = { 'x-event-id': id, 'x-time': time, 'x-signature': signature };
    return { headers, rawBody, receivedAt: this.#now() };
  }

  /** The refunds of a payment, in minor units of the cashier. @param paymentId the company's id */
  sentBack(paymentId: string): readonly bigint[] {
    return (this.#refunds.get(paymentId) ?? []).map(({ minor }) => minor);
  }

  protected answer({ method, url = '', headers }: IncomingMessage, body: string): CompanyAnswer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return [401, {}];
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, room, reference, part] = pathname.split('/').map(decodeURIComponent);
    if (method === 'GET' && room === 'transactions') return this.#listed(searchParams);
    if (room !== 'payments') return [404, {}];
    if (method === 'POST' && reference === undefined) return this.#create(JSON.parse(body));
    const known = this.#payments.get(reference ?? '');
    if (known === undefined) return [404, {}];
    if (method === 'POST' && part === 'refunds') return this.#refund(known, JSON.parse(body));
    return [200, known];
  }

  #create({ reference, amount, currency }: FakePayment): CompanyAnswer {
    if (amount === DECLINED_AMOUNT) return [402, {}];
    const known = this.#payments.get(reference);
    if (known !== undefined) return [200, known];
    const id = randomUUID();
    const changed = new Date(this.#now()).toISOString();
    const page = `https://pay.example/${id}`;
    const payment: FakePayment = { id, reference, state: 'open', amount, currency, page, changed };
    this.#payments.set(reference, payment);
    return [201, payment];
  }

  #refund(payment: FakePayment, asked: { reference: string; amount: string }): CompanyAnswer {
    const made = this.#refunds.get(payment.id) ?? [];
    const { reference, amount } = asked;
    if (made.some((one) => one.reference === reference)) return [200, { reference, amount }];
    const minor = fromDecimalText(amount, payment.currency);
    const left = made.reduce((rest, one) => rest - one.minor, fromDecimalText(payment.amount, payment.currency));
    if (payment.state !== 'paid' || minor > left) return [409, {}];
    this.#refunds.set(payment.id, [...made, { reference, minor }]);
    const { id, currency } = payment;
    this.#list({ type: 'refund', payment: id, reference, amount: `-${amount}`, currency }, this.#now());
    return [201, { reference, amount }];
  }

  #list(transaction: Omit<FakeTransaction, 'id' | 'time'>, at: number): void {
    this.transactions.push({ ...transaction, id: randomUUID(), time: new Date(at).toISOString() });
  }

  #listed(asked: URLSearchParams): CompanyAnswer {
    const [from, to] = ['from', 'to'].map((name) => Date.parse(asked.get(name) ?? ''));
    if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return [400, {}];
    const inPeriod = this.transactions
      .filter(({ time }) => Date.parse(time) >= from && Date.parse(time) < to)
      .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
    const begin = inPeriod.findIndex(({ id }) => id === asked.get('after')) + 1;
    const items = inPeriod.slice(begin, begin + this.pageOf);
    const isMore = inPeriod.length > begin + this.pageOf;
    return [200, { items, ...(isMore && { after: items.at(-1)?.id }) }];
  }
}
