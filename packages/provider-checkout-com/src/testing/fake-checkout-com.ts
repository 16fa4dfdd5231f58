/**
 * Checkout.com on the loopback, as its public documents describe it. Nothing here was recorded from a live account. It keeps
 * pages, payments, refunds and idempotency keys, signs webhooks over their bodies, and can fail before and after its work.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawCallback } from '@opencashier/provider-kit';
import { type CompanyAnswer, CompanyServer } from '@opencashier/provider-kit/testing';

interface FakePayment {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly requested_on: string;
  status: string;
  balances: Record<string, number>;
}

interface FakeAction {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  approved?: boolean;
  readonly reference?: string;
  readonly response_code?: string;
  readonly processed_on: string;
}

/** What `POST /hosted-payments` was asked for. */
export interface FakePage {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly capture: boolean;
}

export class FakeCheckoutCom extends CompanyServer {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly pages: FakePage[] = [];
  readonly payments = new Map<string, FakePayment>();
  readonly #actions = new Map<string, FakeAction[]>();
  readonly #keys = new Map<string, CompanyAnswer>();
  #clock = Date.UTC(2026, 10, 20, 12);

  /** @param account a letter of which its secrets are made, so that two accounts differ */
  constructor(account = 'k') {
    super();
    this.secretKey = `sk_sbox_${account.repeat(27)}`;
    this.webhookSecret = account.toUpperCase().repeat(32);
  }

  /** An attempt on the page of a deposit. @param status such as `Captured`, `Authorized` or `Declined` */
  attempt(reference: string, status: string, code = '10000'): string {
    const page = this.pages.find((one) => one.reference === reference);
    if (page === undefined) throw new Error(`Checkout.com has no page of ${reference}`);
    const payment: FakePayment = {
      id: newId('pay'),
      amount: page.amount,
      currency: page.currency,
      reference,
      metadata: page.metadata,
      requested_on: this.#time(),
      status: 'Pending',
      balances: { total_authorized: 0, total_captured: 0, total_refunded: 0, available_to_refund: 0 },
    };
    this.payments.set(payment.id, payment);
    const isApproved = status === 'Captured' || status === 'Authorized';
    if (status !== 'Pending') this.#act(payment, { type: 'Authorization', approved: isApproved, response_code: code });
    payment.status = status;
    if (status === 'Captured') this.capture(payment.id);
    return payment.id;
  }

  /** Takes the money of an authorized payment. */
  capture(id: string, amount = this.#payment(id).amount): void {
    const payment = this.#payment(id);
    payment.status = amount < payment.amount ? 'Partially Captured' : 'Captured';
    payment.balances = { ...payment.balances, total_captured: amount, available_to_refund: amount };
    this.#act(payment, { type: 'Capture', amount, approved: true, response_code: '10000' });
  }

  /**
   * The company makes the refund that it has accepted of a deposit, or refuses it.
   * @returns its webhook
   */
  settleRefund(depositId: string, approved = true): RawCallback {
    for (const payment of this.payments.values()) {
      const isOpen = ({ type, approved: known }: FakeAction) => type === 'Refund' && known === undefined;
      const action = (this.#actions.get(payment.id) ?? []).find(isOpen);
      if (payment.reference !== depositId || action === undefined) continue;
      action.approved = approved;
      if (!approved) this.#refund(payment, -action.amount);
      const { id: action_id, reference, amount } = action;
      const type = approved ? 'payment_refunded' : 'payment_refund_declined';
      return this.webhook(type, payment.id, { action_id, reference, amount });
    }
    throw new Error(`Checkout.com has no refund of ${depositId} in progress`);
  }

  /** Refunds that the company has made or is making, in its units. @param reference our id of the deposit */
  refundsOf(reference: string): readonly number[] {
    return [...this.payments.values()]
      .filter((payment) => payment.reference === reference)
      .flatMap(({ id }) => this.#actions.get(id) ?? [])
      .filter(({ type, approved }) => type === 'Refund' && approved !== false)
      .map(({ amount }) => amount);
  }

  /** A refund in the dashboard. @returns the id of its action */
  refundByHand(id: string, amount: number): string {
    const action = this.#act(this.#payment(id), { type: 'Refund', amount, approved: true, reference: 'by-hand' });
    this.#refund(this.#payment(id), amount);
    return action.id;
  }

  /** A webhook about a payment, as the documents show it. */
  webhook(type: string, id: string, more: object = {}): RawCallback {
    const { amount, currency, reference, metadata } = this.#payment(id);
    return this.sign({
      id: newId('evt'),
      type,
      version: '1.0.29',
      created_on: this.#time(),
      data: { id, action_id: newId('act'), reference, amount, currency, metadata, processed_on: this.#time(), ...more },
    });
  }

  /** A webhook about a dispute of a payment. */
  disputeWebhook(
    type: string,
    id: string,
    dispute: string,
    amount = this.#payment(id).amount,
    currency = this.#payment(id).currency,
  ): RawCallback {
    const { reference } = this.#payment(id);
    const data = {
      id: dispute,
      date: this.#time(),
      category: 'fraudulent',
      amount,
      currency,
      reason_code: '10.4',
      payment_id: id,
      payment_reference: reference,
    };
    return this.sign({ id: newId('evt'), source: 'dispute', type, timestamp: this.#time(), version: '1.0.6', data });
  }

  sign(body: object): RawCallback {
    const rawBody = Buffer.from(JSON.stringify(body));
    const signature = createHmac('sha256', this.webhookSecret).update(rawBody).digest('hex');
    return { headers: { 'cko-signature': signature }, rawBody, receivedAt: Date.now() };
  }

  protected answer({ method, url = '', headers }: IncomingMessage, body: string): CompanyAnswer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return [401, {}];
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, room, id, part] = pathname.split('/').map(decodeURIComponent);
    if (room === 'hosted-payments' && method === 'POST') return this.#makePage(JSON.parse(body));
    if (room !== 'payments') return [404, {}];
    if (id === undefined) {
      const data = [...this.payments.values()].filter(({ reference }) => reference === searchParams.get('reference'));
      return [200, { limit: 100, skip: 0, total_count: data.length, data: data.toReversed() }];
    }
    const payment = this.payments.get(id);
    if (payment === undefined) return [404, {}];
    if (part === 'actions') return [200, this.#actions.get(id)?.toReversed() ?? []];
    if (part === 'refunds' && method === 'POST') {
      return this.#once(String(headers['cko-idempotency-key']), () => this.#askRefund(payment, JSON.parse(body)));
    }
    return [200, payment];
  }

  #makePage({ amount, currency, reference, metadata, capture }: FakePage): CompanyAnswer {
    if (!Number.isInteger(amount) || amount < 1 || amount > 999_999_999) {
      return [422, { error_type: 'request_invalid', error_codes: ['amount_invalid'] }];
    }
    const page = { id: newId('hpp'), amount, currency, reference, metadata, capture };
    this.pages.push(page);
    const href = `https://pay.sandbox.checkout.com/page/${page.id}`;
    return [201, { id: page.id, reference, _links: { redirect: { href } } }];
  }

  #askRefund(payment: FakePayment, { amount, reference }: { amount: number; reference: string }): CompanyAnswer {
    if ((payment.balances['total_captured'] ?? 0) === 0) return [403, {}];
    if (amount > (payment.balances['available_to_refund'] ?? 0)) {
      return [422, { error_type: 'request_invalid', error_codes: ['refund_amount_exceeds_balance'] }];
    }
    const action = this.#act(payment, { type: 'Refund', amount, reference });
    this.#refund(payment, amount);
    return [202, { action_id: action.id, reference }];
  }

  /** The documents: a key repeats the answer of a request that succeeded, and of no other. */
  #once(key: string, work: () => CompanyAnswer): CompanyAnswer {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const answer = work();
    if (answer[0] < 300) this.#keys.set(key, answer);
    return answer;
  }

  #refund(payment: FakePayment, amount: number): void {
    const { total_captured: captured = 0, total_refunded: before = 0 } = payment.balances;
    const refunded = before + amount;
    payment.balances = { ...payment.balances, total_refunded: refunded, available_to_refund: captured - refunded };
    payment.status = refunded === 0 ? 'Captured' : refunded < captured ? 'Partially Refunded' : 'Refunded';
  }

  #act(payment: FakePayment, action: Partial<FakeAction> & Pick<FakeAction, 'type'>): FakeAction {
    const made = { id: newId('act'), amount: payment.amount, processed_on: this.#time(), ...action };
    this.#actions.set(payment.id, [...(this.#actions.get(payment.id) ?? []), made]);
    return made;
  }

  #payment(id: string): FakePayment {
    const payment = this.payments.get(id);
    if (payment === undefined) throw new Error(`Checkout.com has no payment ${id}`);
    return payment;
  }

  /** Each step is a second later than the one before. */
  #time(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString();
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(13).toString('hex')}`;
}
