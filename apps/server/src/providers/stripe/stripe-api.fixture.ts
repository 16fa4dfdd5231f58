/** Answers as Stripe's interface does, and writes down what it was asked, byte for byte. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Stripe takes forms, not JSON. */
  readonly form: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class StripeApi {
  readonly asked: Asked[] = [];
  /** What the next question is answered with; `break` cuts the line instead. */
  answer: (asked: Asked) => Answer | 'break' = () => ({ status: 500, body: {} });
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const url = new URL(request.url ?? '/', 'http://stripe');
      const asked = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))),
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
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return { protocol: 'http', host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export const DEPOSIT = '0b9f6a52-6f0c-4d43-8c5e-4a2c70d3a1f0';

/** A Checkout session with the members that the published object has and we read. */
export function session(change: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'cs_live_a1',
    object: 'checkout.session',
    client_reference_id: DEPOSIT,
    metadata: { deposit_id: DEPOSIT },
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 2500,
    currency: 'eur',
    url: 'https://checkout.stripe.com/c/pay/cs_live_a1',
    ...change,
  };
}
