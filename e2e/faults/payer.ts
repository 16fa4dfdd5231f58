/** A person whose widget behaves as ours does: one key per wish, asked again under it until somebody answers. */
import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';

/** What a killed program had claimed is given back after half a minute; crediting is promised within one. */
const patienceMs = 90_000;
const pauseMs = 100;

export class Payer {
  readonly userId = `payer-${randomUUID()}`;
  readonly #cluster: Cluster;
  #token = '';
  /** Deposits whose creation was acknowledged. */
  readonly deposits: string[] = [];
  /** How often a request had to be sent again. */
  retries = 0;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  static async of(cluster: Cluster): Promise<Payer> {
    const payer = new Payer(cluster);
    payer.#token = await cluster.mintToken(payer.userId);
    return payer;
  }

  get token(): string {
    return this.#token;
  }

  /** Creates a deposit of 25.00 USD by card; resolves when the server has acknowledged it. */
  async create(depositId: string = randomUUID()): Promise<string> {
    await this.#until(async () => {
      const { status } = await this.#post('deposit-create', {
        amount: '25.00',
        currency: 'USD',
        depositId,
        fields: {},
        selectedCountry: 'IN',
        paymentType: 'card',
      });
      return status >= 200 && status < 300;
    });
    this.deposits.push(depositId);
    return depositId;
  }

  /** Pays on the provider's side, once: a page that was sent already is not sent again. */
  async pay(depositId: string): Promise<void> {
    await this.#until(async () => {
      const found = await this.#get(`/sandbox/payments?depositId=${depositId}`);
      const place = found.headers.get('location');
      if (place === null) return false;
      const page = await (await this.#get(place)).text();
      const token = /name="token" value="([0-9a-f]+)"/.exec(page)?.[1];
      // Paid already, by an attempt whose answer was lost: the page offers it no more.
      if (token === undefined || !page.includes('value="pay"')) return true;
      const { status } = await fetch(new URL(place, this.#cluster.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { connection: 'close' },
        body: new URLSearchParams({ token, action: 'pay' }),
      });
      return status === 303;
    });
  }

  /** Resolves when the server says that it is credited. */
  async untilProcessed(depositId: string): Promise<void> {
    await this.#until(async () => {
      const answer = await this.#get(`/api/BANKING/deposit-status?depositId=${depositId}&paymentMethod=card`, {
        authorization: `Bearer ${this.#token}`,
      });
      return answer.ok && ((await answer.json()) as { status: number }).status === 1;
    });
  }

  async #until(attempt: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const isDone = await attempt().catch(() => false);
      if (isDone) return;
      if (Date.now() > deadline) throw new Error('Nobody answered in 90 seconds.');
      this.retries += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  #post(call: string, body: object): Promise<Response> {
    return fetch(`${this.#cluster.url}/api/BANKING/${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    });
  }

  #get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(path, this.#cluster.url), {
      redirect: 'manual',
      headers: { connection: 'close', ...headers },
    });
  }
}
