/**
 * Paystack on the loopback, as its public documents describe it. Nothing here was recorded from a live account. It takes each
 * reference once, keeps transactions and refunds, signs webhooks over their bodies, and can fail before and after its work.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RawCallback } from '@opencashier/provider-kit';

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
  status: string;
  gateway_response: string;
  paid_at: string | null;
}

interface FakeRefund {
  readonly id: number;
  readonly transaction: number;
  readonly amount: number;
  readonly merchant_note: string;
  readonly dispute: number | null;
  readonly created_at: string;
  status: string;
}

type Answer = readonly [status: number, body: unknown];

const refusal = (code: string): Answer => [400, { status: false, type: 'validation_error', code }];

export class FakePaystack {
  readonly secretKey: string = `sk_test_${'k'.repeat(40)}`;
  readonly transactions = new Map<string, FakeTransaction>();
  readonly refunds: FakeRefund[] = [];
  readonly #server: Server;
  /** Answers of the next requests to a path. `isDone`: the company has done its work before it fails. */
  readonly #failures: { readonly path: string; readonly status: number; readonly isDone: boolean }[] = [];
  #isSilent = false;
  #ids = 4_099_260_516;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** @returns the address of the API, without a slash at its end */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * @param path method and beginning of the path, such as `POST /refund`: the next such request gets the status
   * @param isDone whether the company does its work first
   */
  failNext(path: string, status: number, isDone = false): void {
    this.#failures.push({ path, status, isDone });
  }

  /** Closes every connection without an answer, and does nothing. @returns makes it answer again */
  silence(): () => void {
    this.#isSilent = true;
    return () => {
      this.#isSilent = false;
    };
  }

  /** The payer pays. @param amount what they pay, in hundredths @returns the webhook */
  pay(reference: string, amount?: number): RawCallback {
    const transaction = this.transaction(reference);
    transaction.status = 'success';
    transaction.amount = amount ?? transaction.requested_amount;
    transaction.paid_at = new Date().toISOString();
    transaction.gateway_response = 'Approved';
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

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.#isSilent) {
      request.socket.destroy();
      return;
    }
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const asked = `${request.method} ${pathname}`;
    const index = this.#failures.findIndex(({ path }) => asked.startsWith(path));
    const [failure] = index < 0 ? [] : this.#failures.splice(index, 1);
    const done = failure === undefined || failure.isDone ? this.#answer(request, body) : undefined;
    const [status, answer] = failure === undefined && done !== undefined ? done : [failure?.status ?? 500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #answer({ method, url = '', headers }: IncomingMessage, body: string): Answer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return [401, { status: false, message: 'Invalid key' }];
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, room, part, reference = ''] = pathname.split('/').map(decodeURIComponent);
    if (room === 'transaction' && part === 'initialize' && method === 'POST') return this.#initialize(JSON.parse(body));
    if (room === 'transaction' && part === 'verify') {
      const known = this.transactions.get(reference);
      return known === undefined ? [404, { status: false }] : [200, { status: true, data: this.#shown(known) }];
    }
    if (room === 'refund' && method === 'POST') return this.#askRefund(JSON.parse(body));
    if (room === 'refund') {
      const data = this.refunds.filter(({ transaction }) => String(transaction) === searchParams.get('transaction'));
      return [200, { status: true, data }];
    }
    return [404, {}];
  }

  #initialize(asked: {
    readonly reference: string;
    readonly amount: number;
    readonly currency: string;
    readonly email: string;
    readonly metadata: unknown;
    readonly channels?: readonly string[];
  }): Answer {
    const { reference, amount, currency, email, metadata, channels } = asked;
    if (!Number.isInteger(amount) || amount < 1 || !email.includes('@')) return refusal('invalid_params');
    if (this.transactions.has(reference)) return refusal('duplicate_reference');
    this.#ids += 1;
    this.transactions.set(reference, {
      id: this.#ids,
      reference,
      requested_amount: amount,
      amount,
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

  #askRefund(asked: { readonly transaction: string; readonly amount: number; readonly merchant_note: string }): Answer {
    const transaction = this.transactions.get(asked.transaction);
    if (transaction === undefined || transaction.paid_at === null) return refusal('invalid_params');
    const made = this.refundsOf(transaction.reference).reduce((sum, one) => sum + one, 0);
    if (made + asked.amount > transaction.amount) return refusal('invalid_params');
    const refund = this.#addRefund(transaction, { amount: asked.amount, note: asked.merchant_note, dispute: null });
    return [200, { status: true, message: 'Refund has been queued for processing', data: refund }];
  }

  #addRefund(
    { id: transaction }: FakeTransaction,
    { amount, note, dispute }: { readonly amount: number; readonly note: string; readonly dispute: number | null },
  ): FakeRefund {
    this.#ids += 1;
    const created_at = new Date().toISOString();
    const refund = { id: this.#ids, transaction, amount, merchant_note: note, dispute, created_at, status: 'pending' };
    this.refunds.push(refund);
    return refund;
  }
}
