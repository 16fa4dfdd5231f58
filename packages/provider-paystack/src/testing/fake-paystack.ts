/**
 * Paystack on the loopback, as its public documents describe it. Nothing here was recorded from a live account. It takes each
 * reference once, keeps transactions and refunds, signs webhooks over their bodies, and can fail before and after its work.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawCallback } from '@opencashier/provider-kit';
import { type CompanyAnswer, CompanyServer } from '@opencashier/provider-kit/testing';

interface FakeTransaction {
  readonly id: number;
  readonly reference: string;
  readonly requested_amount: number;
  readonly currency: string;
  readonly metadata: unknown;
  readonly created_at: string;
  readonly email: string;
  readonly channels: readonly string[] | undefined;
  amount: number;
  fees: number | null;
  status: string;
  gateway_response: string;
  paid_at: string | null;
}

interface FakeRefund {
  readonly id: number;
  readonly transaction: number;
  readonly amount: number;
  readonly currency: string;
  readonly merchant_note: string;
  readonly dispute: number | null;
  readonly created_at: string;
  status: string;
}

const refusal = (code: string): CompanyAnswer => [400, { status: false, type: 'validation_error', code }];

export class FakePaystack extends CompanyServer {
  readonly secretKey: string = `sk_test_${'k'.repeat(40)}`;
  readonly transactions = new Map<string, FakeTransaction>();
  readonly refunds: FakeRefund[] = [];
  /** The most rows of a page. Paystack may send fewer than it was asked for. */
  mostPerPage = 100;
  #ids = 4_099_260_516;

  /** The payer pays. @param amount what they pay, in hundredths @returns the webhook */
  pay(reference: string, amount?: number): RawCallback {
    const transaction = this.transaction(reference);
    transaction.status = 'success';
    transaction.amount = amount ?? transaction.requested_amount;
    transaction.paid_at = new Date().toISOString();
    transaction.gateway_response = 'Approved';
    transaction.fees = Math.round(transaction.amount * 0.015);
    return this.sign({ event: 'charge.success', data: this.#shown(transaction) });
  }

  /** The bank refuses an attempt. Paystack sends no webhook then. */
  fail(reference: string, gatewayResponse: string): void {
    const transaction = this.transaction(reference);
    transaction.status = 'failed';
    transaction.gateway_response = gatewayResponse;
  }

  /** A refund in the dashboard, or one that ends a dispute. @returns the webhook */
  refundByHand(reference: string, amount: number, dispute: number | null = null): RawCallback {
    this.#addRefund(this.transaction(reference), { amount, note: 'by hand', dispute }).status = 'processed';
    return this.#refundWebhook(reference, 'processed', amount);
  }

  /** Paystack makes the refund that it has accepted, or refuses it. @returns the webhook */
  settleRefund(reference: string, status: 'processed' | 'failed' = 'processed'): RawCallback {
    const transaction = this.transaction(reference);
    const refund = this.refunds.find((one) => one.transaction === transaction.id && one.status === 'pending');
    if (refund === undefined) throw new Error(`Paystack has no refund of ${reference} in progress`);
    refund.status = status;
    if (status === 'processed') transaction.status = 'reversed';
    return this.#refundWebhook(reference, status, refund.amount);
  }

  /** Refunds that Paystack has made or is making, in hundredths. */
  refundsOf(reference: string): readonly number[] {
    const { id } = this.transaction(reference);
    return this.refunds.filter((one) => one.transaction === id && one.status !== 'failed').map(({ amount }) => amount);
  }

  /** The end of a dispute, as the documents show it. */
  disputeWebhook(reference: string, dispute: number, resolution: string, refund_amount?: number): RawCallback {
    const transaction = this.transaction(reference);
    const data = {
      id: dispute,
      refund_amount: refund_amount ?? transaction.requested_amount,
      currency: transaction.currency,
      status: 'resolved',
      resolution,
      transaction: this.#shown(transaction),
      category: 'chargeback',
    };
    return this.sign({ event: 'charge.dispute.resolve', data });
  }

  sign(body: object): RawCallback {
    const rawBody = Buffer.from(JSON.stringify(body));
    const signature = createHmac('sha512', this.secretKey).update(rawBody).digest('hex');
    return { headers: { 'x-paystack-signature': signature }, rawBody, receivedAt: Date.now() };
  }

  transaction(reference: string): FakeTransaction {
    const transaction = this.transactions.get(reference);
    if (transaction === undefined) throw new Error(`Paystack has no transaction ${reference}`);
    return transaction;
  }

  /** The documents show amounts of these events as text, and neither the refund's id nor its note. */
  #refundWebhook(reference: string, status: string, amount: number): RawCallback {
    const { currency } = this.transaction(reference);
    const data = { status, transaction_reference: reference, refund_reference: null, amount: String(amount), currency };
    return this.sign({ event: `refund.${status}`, data });
  }

  #shown({ email: _email, channels: _channels, ...shown }: FakeTransaction): object {
    return shown;
  }

  protected answer({ method, url = '', headers }: IncomingMessage, body: string): CompanyAnswer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return [401, { status: false, message: 'Invalid key' }];
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, room, part, reference = ''] = pathname.split('/').map(decodeURIComponent);
    if (room === 'transaction' && part === 'initialize' && method === 'POST') return this.#initialize(JSON.parse(body));
    if (room === 'transaction' && part === 'verify') {
      const known = this.transactions.get(reference);
      return known === undefined ? [404, { status: false }] : [200, { status: true, data: this.#shown(known) }];
    }
    if (room === 'refund' && method === 'POST') return this.#askRefund(JSON.parse(body));
    if (room === 'transaction' && part === undefined) {
      return this.#page(
        [...this.transactions.values()].map((one) => this.#shown(one) as FakeTransaction),
        searchParams,
      );
    }
    if (room === 'refund') {
      const asked = searchParams.get('transaction');
      const refunds = this.refunds.filter(({ transaction }) => asked === null || String(transaction) === asked);
      return this.#page(refunds, searchParams);
    }
    return [404, {}];
  }

  /** The newest first, filtered by the time of creation, with the end of the period. */
  #page(rows: readonly { readonly created_at: string }[], asked: URLSearchParams): CompanyAnswer {
    const [from, to] = ['from', 'to'].map((name) => Date.parse(asked.get(name) ?? ''));
    const inPeriod = rows
      .filter(({ created_at }) => !(Date.parse(created_at) < (from ?? 0) || Date.parse(created_at) > (to ?? 0)))
      .toReversed();
    const perPage = Math.min(Number(asked.get('perPage') ?? 50), this.mostPerPage);
    const page = Number(asked.get('page') ?? 1);
    const pageCount = Math.max(1, Math.ceil(inPeriod.length / perPage));
    const meta = { total: inPeriod.length, skipped: (page - 1) * perPage, perPage, page, pageCount };
    return [200, { status: true, data: inPeriod.slice((page - 1) * perPage, page * perPage), meta }];
  }

  #initialize(asked: {
    readonly reference: string;
    readonly amount: number;
    readonly currency: string;
    readonly email: string;
    readonly metadata: unknown;
    readonly channels?: readonly string[];
  }): CompanyAnswer {
    const { reference, amount, currency, email, metadata, channels } = asked;
    if (!Number.isInteger(amount) || amount < 1 || !email.includes('@')) return refusal('invalid_params');
    if (this.transactions.has(reference)) return refusal('duplicate_reference');
    this.#ids += 1;
    this.transactions.set(reference, {
      id: this.#ids,
      reference,
      requested_amount: amount,
      amount,
      fees: null,
      currency,
      metadata,
      email,
      channels,
      created_at: new Date().toISOString(),
      status: 'abandoned',
      gateway_response: 'The transaction was not completed',
      paid_at: null,
    });
    const access_code = String(this.#ids);
    const authorization_url = `https://checkout.paystack.com/${access_code}`;
    return [200, { status: true, data: { authorization_url, access_code, reference } }];
  }

  #askRefund(asked: {
    readonly transaction: string;
    readonly amount: number;
    readonly merchant_note: string;
  }): CompanyAnswer {
    const transaction = this.transactions.get(asked.transaction);
    if (transaction === undefined || transaction.paid_at === null) return refusal('invalid_params');
    const made = this.refundsOf(transaction.reference).reduce((sum, one) => sum + one, 0);
    if (made + asked.amount > transaction.amount) return refusal('invalid_params');
    const refund = this.#addRefund(transaction, { amount: asked.amount, note: asked.merchant_note, dispute: null });
    return [200, { status: true, message: 'Refund has been queued for processing', data: refund }];
  }

  #addRefund(
    { id: transaction, currency }: FakeTransaction,
    { amount, note, dispute }: { readonly amount: number; readonly note: string; readonly dispute: number | null },
  ): FakeRefund {
    this.#ids += 1;
    const created_at = new Date().toISOString();
    const status = 'pending';
    const refund = { id: this.#ids, transaction, amount, currency, merchant_note: note, dispute, created_at, status };
    this.refunds.push(refund);
    return refund;
  }
}
