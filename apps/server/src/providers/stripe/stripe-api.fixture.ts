/** A stand-in for Stripe's API. It keeps the requests that it got, byte for byte. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { closeOnLoopback, openOnLoopback } from '../loopback-server.fixture.ts';
import type { ProviderDeposit } from '../provider.ts';

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The raw text. */
  readonly body: string;
  /** The fields of the form. Stripe takes forms, not JSON. */
  readonly form: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class StripeApi {
  readonly asked: ApiRequest[] = [];
  /** The answer to the next request. `break` closes the connection instead. */
  answer: (asked: ApiRequest) => Answer | 'break' = () => ({ status: 500, body: {} });
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const url = new URL(request.url ?? '/', 'http://stripe');
      const body = Buffer.concat(chunks).toString('utf8');
      const asked = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
        form: Object.fromEntries(new URLSearchParams(body)),
      };
      this.asked.push(asked);
      const answer = this.answer(asked);
      if (answer === 'break') request.socket.destroy();
      else
        response
          .writeHead(answer.status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
          .end(JSON.stringify(answer.body));
    });
  }

  async open(): Promise<{ protocol: 'http'; host: string; port: number }> {
    const { hostname, port } = new URL(await openOnLoopback(this.#server));
    return { protocol: 'http', host: hostname, port: Number(port) };
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

export const DEPOSIT = '0b9f6a52-6f0c-4d43-8c5e-4a2c70d3a1f0';

/** The cashier's order to take 25 EUR by card. */
export const deposit = (change: Partial<ProviderDeposit> = {}): ProviderDeposit => ({
  depositId: DEPOSIT,
  operatorId: 'op',
  paymentMethod: 'card_stripe',
  amountMinor: 2500n,
  currency: 'EUR',
  country: 'DE',
  fields: {},
  providerOptions: {},
  returnUrl: 'https://cashier.example/return',
  language: 'de-AT',
  signal: new AbortController().signal,
  ...change,
});

/** A Checkout session, with the members of the published object that we read. */
export function session(change: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'cs_test_a1',
    object: 'checkout.session',
    livemode: false,
    client_reference_id: DEPOSIT,
    metadata: { deposit_id: DEPOSIT },
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 2500,
    currency: 'eur',
    url: 'https://checkout.stripe.com/c/pay/cs_test_a1',
    ...change,
  };
}

/** Makes the stand-in keep sessions as Stripe does: one per idempotency key, found by its id. */
export function keepSessions(api: StripeApi) {
  const byKey = new Map<string, ReturnType<typeof session>>();
  const byId = (id: string) => [...byKey.values()].find((one) => one.id === id);
  const refunds = new Map<string, { readonly payment_intent: string; readonly amount: number }>();
  const refundsOf = (intent: string | null) => [...refunds.values()].filter((one) => one.payment_intent === intent);
  const refuse = (code: string): Answer => ({ status: 400, body: { error: { type: 'invalid_request_error', code } } });
  const refund = (key: string, form: Readonly<Record<string, string>>): Answer => {
    const { payment_intent: intent = '' } = form;
    const payment = byId(intent.slice('pi_'.length));
    if (payment === undefined) return refuse('resource_missing');
    const left = refundsOf(intent).reduce((rest, { amount }) => rest - amount, payment.amount_total);
    const amount = form['amount'] === undefined ? left : Number(form['amount']);
    if (!refunds.has(key) && (amount > left || left === 0)) return refuse('charge_already_refunded');
    const made = refunds.get(key) ?? {
      id: `re_${refunds.size + 1}`,
      object: 'refund',
      status: 'succeeded',
      payment_intent: intent,
      amount,
      metadata: { refund_id: form['metadata[refund_id]'] },
    };
    refunds.set(key, made);
    return { status: 200, body: made };
  };
  api.answer = ({ method, path, query, headers, form }) => {
    if (path === '/v1/payment_intents/search') return { status: 200, body: { object: 'search_result', data: [] } };
    if (path === '/v1/refunds' && method === 'GET') {
      return { status: 200, body: { object: 'list', data: refundsOf(query.get('payment_intent')) } };
    }
    if (path === '/v1/refunds') return refund(String(headers['idempotency-key']), form);
    if (method === 'GET') {
      const found = byId(path.slice('/v1/checkout/sessions/'.length));
      const error = { type: 'invalid_request_error', code: 'resource_missing' };
      return found === undefined ? { status: 404, body: { error } } : { status: 200, body: found };
    }
    const key = String(headers['idempotency-key']);
    const id = `cs_test_${byKey.size + 1}`;
    const made =
      byKey.get(key) ??
      session({
        id,
        client_reference_id: form['client_reference_id'],
        metadata: { deposit_id: form['metadata[deposit_id]'] },
        amount_total: Number(form['line_items[0][price_data][unit_amount]']),
        currency: form['line_items[0][price_data][currency]'],
        url: `https://checkout.stripe.com/c/pay/${id}`,
      });
    byKey.set(key, made);
    return { status: 200, body: made };
  };
  return {
    /** The person pays on Stripe's page. */
    pay(id: string) {
      const found = byId(id);
      if (found === undefined) throw new Error(`There is no session ${id}`);
      return Object.assign(found, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${id}` });
    },
    /** The refunds of a session's payment, in Stripe's unit. */
    sentBack: (id: string): number[] => refundsOf(`pi_${id}`).map(({ amount }) => amount),
  };
}
