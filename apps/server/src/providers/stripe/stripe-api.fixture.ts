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

/** A refund as the stand-in keeps it: the members of the published object that we read. */
export interface KeptRefund {
  readonly id: string;
  readonly object: 'refund';
  status: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  failure_reason?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Known {
  readonly byKey: Map<string, ReturnType<typeof session>>;
  readonly refunds: Map<string, KeptRefund>;
  readonly cards: Map<string, object>;
  readonly disputed: Set<string>;
}

const refuse = (code: string): Answer => ({ status: 400, body: { error: { type: 'invalid_request_error', code } } });

/** The fields of a form under `metadata`. */
function metadataOf(form: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(form).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(named);
}

/** Makes the stand-in keep sessions and refunds as Stripe does: one per idempotency key, found by its id. */
export function keepSessions(api: StripeApi) {
  const known: Known = { byKey: new Map(), refunds: new Map(), cards: new Map(), disputed: new Set() };
  api.answer = (asked) => answerOf(known, asked);
  return {
    /** The person pays on Stripe's page, with this card. */
    pay(id: string, card?: { readonly fingerprint: string; readonly brand: string; readonly last4: string }) {
      const found = sessionById(known, id);
      if (found === undefined) throw new Error(`There is no session ${id}`);
      if (card !== undefined) known.cards.set(id, card);
      return Object.assign(found, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${id}` });
    },
    /** The payer's bank disputes the payment. Stripe then refuses its refund. */
    dispute: (id: string) => known.disputed.add(id),
    /** The operator refunds what is left in Stripe's dashboard. */
    refundRest: (id: string) => refund(known, `dashboard ${id}`, { payment_intent: `pi_${id}` }),
    /** The refunds of a session's payment, in Stripe's unit. */
    sentBack: (id: string): number[] => refundsOf(known, `pi_${id}`).map(({ amount }) => amount),
    /** The refunds of a session's payment. A test may change their state. */
    refunds: (id: string): KeptRefund[] => refundsOf(known, `pi_${id}`),
    /** All refunds. */
    allRefunds: (): KeptRefund[] => [...known.refunds.values()],
  };
}

const sessionById = ({ byKey }: Known, id: string) => [...byKey.values()].find((one) => one.id === id);

const refundsOf = ({ refunds }: Known, intent: string | null): KeptRefund[] =>
  [...refunds.values()].filter((one) => one.payment_intent === intent);

/** A refund that failed is no longer counted by its charge. */
const sumOf = (refunds: readonly KeptRefund[]): number =>
  refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0);

function answerOf(known: Known, { method, path, query, headers, form }: ApiRequest): Answer {
  const key = String(headers['idempotency-key']);
  if (path === '/v1/payment_intents/search') return { status: 200, body: { object: 'search_result', data: [] } };
  if (path.startsWith('/v1/payment_intents/')) {
    const found = sessionById(known, path.slice('/v1/payment_intents/pi_'.length));
    return found === undefined ? notFound() : { status: 200, body: intentOf(known, found) };
  }
  if (path === '/v1/refunds' && method === 'GET') {
    return { status: 200, body: { object: 'list', data: refundsOf(known, query.get('payment_intent')) } };
  }
  if (path === '/v1/refunds') return refund(known, key, form);
  if (method === 'GET' && path === '/v1/checkout/sessions') {
    const intent = query.get('payment_intent')?.slice('pi_'.length);
    const found = intent === undefined ? undefined : sessionById(known, intent);
    return { status: 200, body: { object: 'list', data: found === undefined ? [] : [found] } };
  }
  if (method === 'GET') {
    const found = sessionById(known, path.slice('/v1/checkout/sessions/'.length));
    if (found === undefined) return notFound();
    const isExpanded = query.get('expand[0]') === 'payment_intent.latest_charge' && 'payment_intent' in found;
    return { status: 200, body: isExpanded ? { ...found, payment_intent: intentOf(known, found) } : found };
  }
  return { status: 200, body: createdSession(known, key, form) };
}

const notFound = (): Answer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing' } },
});

function intentOf(known: Known, { id, amount_total }: ReturnType<typeof session>): object {
  const card = known.cards.get(id);
  return {
    id: `pi_${id}`,
    object: 'payment_intent',
    latest_charge: {
      id: `ch_${id}`,
      object: 'charge',
      amount_captured: amount_total,
      amount_refunded: sumOf(refundsOf(known, `pi_${id}`)),
      disputed: known.disputed.has(id),
      payment_method_details: card === undefined ? null : { type: 'card', card },
    },
  };
}

function refund(known: Known, key: string, form: Readonly<Record<string, string>>): Answer {
  const { payment_intent: intent = '' } = form;
  const again = known.refunds.get(key);
  if (again !== undefined) return { status: 200, body: again };
  const id = intent.slice('pi_'.length);
  const payment = sessionById(known, id);
  if (payment === undefined) return refuse('resource_missing');
  if (known.disputed.has(id)) return refuse('charge_disputed');
  const left = payment.amount_total - sumOf(refundsOf(known, intent));
  const amount = form['amount'] === undefined ? left : Number(form['amount']);
  if (amount > left || left === 0) return refuse('charge_already_refunded');
  const made: KeptRefund = {
    id: `re_${known.refunds.size + 1}`,
    object: 'refund',
    status: 'succeeded',
    payment_intent: intent,
    amount,
    currency: payment.currency,
    created: Math.floor(Date.now() / 1000),
    metadata: metadataOf(form),
  };
  known.refunds.set(key, made);
  return { status: 200, body: made };
}

function createdSession({ byKey }: Known, key: string, form: Readonly<Record<string, string>>) {
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
  return made;
}
