/** A stand-in for Stripe that outlives the servers, and can kill them when they ask it. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { server } from './deaths.ts';

/** A request to the API, as far as it is read here. */
interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

type ApiAnswer = { readonly status: number; readonly body: unknown } | 'break';

/** The part of the server's stand-in for Stripe's API that is used here (`stripe-api.fixture.ts`). */
interface StripeApi {
  answer: (asked: ApiRequest) => ApiAnswer;
  open(): Promise<{ readonly host: string; readonly port: number }>;
  close(): Promise<void>;
}

/** What the API keeps of sessions and their refunds. */
interface KeptSessions {
  pay(session: string, paidBy: typeof card): object;
  allRefunds(): readonly { readonly amount: number; readonly metadata: Readonly<Record<string, string>> }[];
}

const card = { fingerprint: 'fp_visa', brand: 'visa', last4: '4242' };

export class StripeStandIn {
  readonly #api: StripeApi;
  readonly #sessions: KeptSessions;
  /** The answers without deaths and refusals. */
  readonly #known: StripeApi['answer'];
  readonly #webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  #address = '';
  /** Stripe refuses to refund these payments. */
  readonly #refused = new Set<string>();

  private constructor(api: StripeApi, sessions: KeptSessions) {
    this.#api = api;
    this.#sessions = sessions;
    this.#known = api.answer;
    this.reset();
  }

  /** Starts it from the build of `build-dying.ts`. */
  static async open(): Promise<StripeStandIn> {
    const built: { StripeApi: new () => StripeApi; keepSessions(api: StripeApi): KeptSessions } = await import(
      pathToFileURL(`${server}.cache/faults/stripe-api.js`).href
    );
    const api = new built.StripeApi();
    const standIn = new StripeStandIn(api, built.keepSessions(api));
    const { host, port } = await standIn.#api.open();
    standIn.#address = `http://${host}:${port}`;
    return standIn;
  }

  /** The environment of a server that asks this stand-in. */
  get env(): Readonly<Record<string, string>> {
    return {
      FAULT_STRIPE_AT: this.#address,
      STRIPE_SECRET_KEY: `sk_test_${'0'.repeat(24)}`,
      STRIPE_WEBHOOK_SECRET: this.#webhookSecret,
    };
  }

  /** Answers every request again, and kills nobody. */
  reset(): void {
    this.#api.answer = (asked) => this.#usual(asked);
  }

  #usual(asked: ApiRequest): ApiAnswer {
    const intent = asked.form['payment_intent'] ?? '';
    if (asked.method === 'POST' && this.#refused.has(intent)) {
      return { status: 400, body: { error: { type: 'invalid_request_error', code: 'charge_disputed' } } };
    }
    return this.#known(asked);
  }

  /**
   * Kills by `kill` when the next refund is requested.
   * @param nth 1: the first request for a refund
   * @param when whether Stripe has made the refund by then. Its answer is lost either way
   */
  killAtRefund(nth: number, when: 'before' | 'after', kill: () => void): void {
    let seen = 0;
    this.#api.answer = (asked) => {
      const isRefund = asked.method === 'POST' && asked.path === '/v1/refunds';
      if (isRefund) seen += 1;
      if (!isRefund || seen !== nth) return this.#usual(asked);
      kill();
      if (when === 'after') this.#usual(asked);
      this.reset();
      return 'break';
    };
  }

  /** Kills by `kill` when a payment is looked up, before any refund is requested. */
  killAtLookup(kill: () => void): void {
    this.#api.answer = (asked) => {
      if (asked.method !== 'GET' || asked.path !== '/v1/refunds') return this.#usual(asked);
      kill();
      this.reset();
      return 'break';
    };
  }

  /** The person pays the session of a deposit by the card of these tests. The server gets the event. */
  async pay(cashierUrl: string, session: string): Promise<boolean> {
    const at = Math.floor(Date.now() / 1000);
    const data = { object: this.#sessions.pay(session, card) };
    const type = 'checkout.session.completed';
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type,
      created: at,
      livemode: false,
      data,
    });
    const signature = createHmac('sha256', this.#webhookSecret).update(`${at}.${body}`).digest('hex');
    const answer = await fetch(`${cashierUrl}/providers/stripe/callbacks`, {
      method: 'POST',
      headers: { 'stripe-signature': `t=${at},v1=${signature}`, connection: 'close' },
      body,
    });
    return answer.status === 202;
  }

  /** From now on Stripe refuses to refund this session's payment, such as after a dispute. */
  refuseRefundsOf(session: string): void {
    this.#refused.add(`pi_${session}`);
  }

  /** What Stripe's own books say of a withdrawal. */
  paidOut(withdrawalId: string): { readonly payouts: number; readonly minor: bigint } {
    const refunds = this.#sessions.allRefunds().filter(({ metadata }) => metadata['payout_id'] === withdrawalId);
    return { payouts: refunds.length, minor: refunds.reduce((sum, { amount }) => sum + BigInt(amount), 0n) };
  }

  close(): Promise<void> {
    return this.#api.close();
  }
}
