/**
 * A company with a plain JSON interface on the loopback, to test a provider against. It keeps payments in memory, is idempotent by
 * `reference`, and signs its callbacks by an HMAC. Extend `CompanyServer` in the same way for what the documents of your company say.
 *
 * - `POST /payments` with `reference`, `amount` (decimal text), `currency`, `returnUrl`: 201, or 200 when the reference is known.
 * - `GET /payments/<reference>`: the payment, or 404.
 * - `POST /payments/<reference>/refunds` with `reference` (of the refund) and `amount`: 201 or 200, 409 above what is left.
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

  /** @param now milliseconds since the epoch; absent: this machine's clock */
  constructor(now: () => number = Date.now) {
    super();
    this.#now = now;
  }

  /** Every payment that the company has, in their order. */
  get payments(): readonly FakePayment[] {
    return [...this.#payments.values()];
  }

  /** The payer pays. @returns the callback that the company sends, signed now */
  pay(reference: string): RawCallback {
    const payment = this.#payments.get(reference);
    if (payment === undefined) throw new Error(`The company has no payment ${reference}`);
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
    const [, room, reference, part] = url.split('/').map(decodeURIComponent);
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
    return [201, { reference, amount }];
  }
}
