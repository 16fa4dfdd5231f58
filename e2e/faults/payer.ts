/** A user whose widget behaves like ours: one key per intent, and the request is repeated under this key until it is answered. */
import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';

/** The leases of a killed server end after half a minute. A credit is promised within a minute. */
const patienceMs = 90_000;
const pauseMs = 50;

/** Typed into forms. No log may hold it. */
export const typedCard = '4111111111111111';

export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Whether an answer has the outcome of the intent. Without an outcome the user repeats the request under the same key. */
export function isFinal({ status, code }: Pick<Answer, 'status' | 'code'>): boolean {
  return (status < 500 || code === 'provider-error') && code !== 'in-flight' && code !== 'rate-limited';
}

/** Where the payer pays, and who makes the payer's token. */
export type Cashier = Pick<Cluster, 'url' | 'mintToken' | 'askAsOperator'>;

export class Payer {
  readonly userId: string;
  readonly #cashier: Cashier;
  #token = '';
  /** Deposits whose creation was acknowledged. */
  readonly deposits: string[] = [];
  /** How often a request had to be sent again. */
  retries = 0;

  private constructor(cashier: Cashier, userId: string) {
    this.#cashier = cashier;
    this.userId = userId;
  }

  static async of(cashier: Cashier, userId = `payer-${randomUUID()}`): Promise<Payer> {
    const payer = new Payer(cashier, userId);
    await payer.signIn();
    return payer;
  }

  /** Gets a new token, as a host's page does before the old one ends: after 15 minutes. */
  async signIn(): Promise<void> {
    await this.#until(async () => {
      this.#token = await this.#cashier.mintToken(this.userId);
      return true;
    });
  }

  get token(): string {
    return this.#token;
  }

  /** Creates a deposit of USD by card; resolves when the server has acknowledged it. */
  async create(depositId: string = randomUUID(), amount = '25.00'): Promise<string> {
    const { status, code } = await this.insist('deposit-create', intentOfDeposit(depositId, amount));
    if (status !== 200) throw new Error(`deposit-create answered ${status} ${code}`);
    this.deposits.push(depositId);
    return depositId;
  }

  /** Repeats a request until the answer has an outcome. */
  async insist(call: string, body: object): Promise<Answer> {
    let last: Answer | undefined;
    await this.#until(async () => {
      last = await this.post(call, body);
      return isFinal(last);
    });
    if (last === undefined) throw new Error(`${call} was not answered`);
    return last;
  }

  /** Repeats a request of the operator's backend until the answer has an outcome, and `isEnough`. */
  async insistAsOperator(
    path: string,
    body: object,
    isEnough: (body: Answer['body']) => boolean = () => true,
  ): Promise<Answer> {
    let last: Answer | undefined;
    await this.#until(async () => {
      last = await answerOf(await this.#cashier.askAsOperator(path, body));
      return isFinal(last) && (last.status !== 200 || isEnough(last.body));
    });
    if (last === undefined) throw new Error(`${path} was not answered`);
    return last;
  }

  /** Pays at the provider. */
  pay(depositId: string): Promise<void> {
    return this.#press(depositId, 'pay');
  }

  /** The payer's bank takes the money of a credited deposit back. */
  chargeBack(depositId: string): Promise<void> {
    return this.#press(depositId, 'take-back');
  }

  /** Presses a button of the sandbox's page once: a form that was sent already is not sent again. */
  async #press(depositId: string, action: 'pay' | 'take-back'): Promise<void> {
    await this.#until(async () => {
      const found = await this.#get(`/sandbox/payments?depositId=${depositId}`);
      const place = found.headers.get('location');
      if (place === null) return false;
      const answer = await this.#get(place);
      const page = await answer.text();
      const token = /name="token" value="([0-9a-f]+)"/.exec(page)?.[1];
      if (!answer.ok) return false;
      // An attempt whose answer was lost has pressed it already. The page does not offer the button any more.
      if (token === undefined || !page.includes(`value="${action}"`)) return true;
      const { status } = await fetch(new URL(place, this.#cashier.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { connection: 'close' },
        body: new URLSearchParams({ token, action }),
        signal: AbortSignal.timeout(30_000),
      });
      return status === 303;
    });
  }

  /** Resolves when the deposit is credited. */
  untilProcessed(depositId: string): Promise<void> {
    return this.#untilStatus(`deposit-status?depositId=${depositId}&paymentMethod=card`, 1);
  }

  /** Resolves when the deposit has ended without a credit. */
  untilOver(depositId: string): Promise<void> {
    return this.#untilStatus(`deposit-status?depositId=${depositId}&paymentMethod=card`, 2);
  }

  /** Resolves when the amount of the withdrawal is held, and the user may confirm. */
  untilHeld(withdrawalId: string): Promise<void> {
    return this.#untilStatus(`withdrawal-status?withdrawalId=${withdrawalId}`, 0);
  }

  /** Resolves when the withdrawal has ended: 1 paid, 2 with the amount returned. */
  untilWithdrawn(withdrawalId: string, status: 1 | 2): Promise<void> {
    return this.#untilStatus(`withdrawal-status?withdrawalId=${withdrawalId}`, status);
  }

  /** Sends a request once. @throws when there is no answer */
  async post(call: string, body: object, url = this.#cashier.url): Promise<Answer> {
    return answerOf(
      await fetch(`${url}/api/BANKING/${call}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      }),
    );
  }

  async #untilStatus(question: string, wanted: number): Promise<void> {
    let last = '';
    await this.#until(
      async () => {
        const answer = await this.#get(`/api/BANKING/${question}`, { authorization: `Bearer ${this.#token}` });
        last = await answer.text();
        return answer.ok && (JSON.parse(last) as { status: number }).status === wanted;
      },
      () => `${question} never became ${wanted}: ${last}`,
    );
  }

  async #until(attempt: () => Promise<boolean>, explain = () => 'Nobody answered in 90 seconds.'): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const isDone = await attempt().catch(() => false);
      if (isDone) return;
      if (Date.now() > deadline) throw new Error(explain());
      this.retries += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  #get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(path, this.#cashier.url), {
      redirect: 'manual',
      headers: { connection: 'close', ...headers },
      signal: AbortSignal.timeout(30_000),
    });
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Answer['body'];
  const { code } = (body['error'] ?? {}) as { code?: string };
  return { status: response.status, code, body };
}

export function intentOfDeposit(depositId: string, amount: string): object {
  return { amount, currency: 'USD', depositId, fields: {}, selectedCountry: 'IN', paymentType: 'card' };
}

export function intentOfWithdrawal(withdrawalId: string, amount: string): object {
  const fields = { cardNumber: typedCard };
  return { withdrawalId, amount, currency: 'USD', paymentMethod: 'card_withdrawal', fields };
}
