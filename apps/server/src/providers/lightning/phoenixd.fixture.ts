/** A stand-in for phoenixd. Tests pay its invoices, and make it fail. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { closeOnLoopback, openOnLoopback } from '../loopback-server.fixture.ts';
import type { RawCallback } from '../provider.ts';

export interface FakeInvoice {
  readonly paymentHash: string;
  readonly preimage: string;
  readonly externalId: string;
  readonly invoice: string;
  isPaid: boolean;
  receivedSat: number;
  readonly requestedSat: number;
  readonly createdAt: number;
  completedAt: number | null;
}

/** `cut`: it makes the invoice, and the connection breaks. */
type Mood = 'well' | 'down' | 'cut' | 'nonsense' | 'refuses';

export class FakePhoenixd {
  readonly password = 'limited-access-password';
  readonly webhookSecret = 'secret-of-the-webhook';
  mood: Mood = 'well';
  chain = 'mainnet';
  /** The prefix of its invoices. */
  prefix = 'bc';
  /** Changes the amount of the invoices that it makes. */
  amountOf = (asked: number): number => asked;
  readonly invoices: FakeInvoice[] = [];
  readonly questions: string[] = [];
  readonly #now: () => number;
  readonly #server: Server;

  constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      this.questions.push(`${request.method} ${request.url}`);
      if (this.mood === 'down') return void request.socket.destroy();
      const isKnown = request.headers.authorization === `Basic ${Buffer.from(`:${this.password}`).toString('base64')}`;
      if (!isKnown || this.mood === 'refuses') return void response.writeHead(isKnown ? 400 : 401).end();
      const url = new URL(request.url ?? '/', 'http://node');
      const found = this.#answer(url, new URLSearchParams(body));
      if (this.mood === 'cut' && url.pathname === '/createinvoice') return void request.socket.destroy();
      const text = this.mood === 'nonsense' ? '<html>' : JSON.stringify(found);
      response.writeHead(found === undefined ? 404 : 200).end(text);
    });
  }

  #answer(url: URL, form: URLSearchParams): unknown {
    if (url.pathname === '/getinfo') return { nodeId: '02', chain: this.chain, version: '0.7.0' };
    if (url.pathname === '/createinvoice') return this.#make(form);
    if (url.pathname === '/payments/incoming') {
      const all = this.invoices.filter(({ externalId }) => externalId === url.searchParams.get('externalId'));
      return all.filter(({ isPaid }) => isPaid || url.searchParams.get('all') === 'true').reverse();
    }
    return this.invoices.find(({ paymentHash }) => url.pathname === `/payments/incoming/${paymentHash}`);
  }

  #make(form: URLSearchParams): unknown {
    const amountSat = this.amountOf(Number(form.get('amountSat')));
    const preimage = randomBytes(32).toString('hex');
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
    const letters = '023456789acdefghjklmnpqrstuvwxyz';
    const data = [...randomBytes(200)].map((byte) => letters[byte & 31]).join('');
    this.invoices.push({
      paymentHash,
      preimage,
      externalId: form.get('externalId') ?? '',
      // Ten of the nano unit are a satoshi.
      invoice: `ln${this.prefix}${amountSat * 10}n1${data}`,
      isPaid: false,
      receivedSat: 0,
      requestedSat: amountSat,
      createdAt: this.#now(),
      completedAt: null,
    });
    return { amountSat, paymentHash, serialized: this.invoices.at(-1)?.invoice };
  }

  /** @param receivedSat what is left after the node's fees. Absent: what was asked for. @returns the webhook */
  pay(paymentHash: string, receivedSat?: number): RawCallback {
    const invoice = this.invoices.find((one) => one.paymentHash === paymentHash);
    if (invoice === undefined) throw new Error('There is no such invoice');
    invoice.isPaid = true;
    invoice.receivedSat = receivedSat ?? invoice.requestedSat;
    invoice.completedAt = this.#now();
    return this.webhook({ paymentHash, externalId: invoice.externalId, amountSat: invoice.receivedSat });
  }

  webhook(more: object, secret = this.webhookSecret): RawCallback {
    const body = JSON.stringify({ type: 'payment_received', timestamp: this.#now(), ...more });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return { headers: { 'x-phoenix-signature': signature }, rawBody: Buffer.from(body), receivedAt: this.#now() };
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}
