/** Nodes of a cashier with a route over several companies, as processes that their test kills, and the payers who use them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CallbackOf, Company } from './companies.ts';
import type { CompanyAnswer, FromCashier, ToCashier } from './routed-messages.ts';

const program = fileURLToPath(new URL('../../apps/server/.cache/faults/routed-main.js', import.meta.url));
/** How many requests of payers are on their way at the same time. */
const AT_ONCE = 64;
/** How many nodes share the database. */
const NODES = 2;
const RETRY_MS = 200;
/** How long a payer without work waits for a payment that is repeated. */
const PAUSE_MS = 20;

export interface Payment {
  readonly id: string;
  readonly userId: string;
  /** Major units. */
  readonly amount: string;
}

interface Pressed {
  readonly child: ChildProcess;
  readonly answer: (code: string | undefined) => void;
}

export class RoutedCashier {
  /** The code of the last answer to each payer. */
  readonly answers = new Map<string, string>();
  /** What the nodes wrote. */
  readonly log: string[] = [];
  kills = 0;
  readonly #databaseUrl: string;
  #companies: readonly Company[] = [];
  /** The nodes that run. */
  readonly #children: ChildProcess[] = [];
  #turn = 0;
  #spare: ChildProcess | undefined;
  #callbacks = 0;
  /** Callbacks that the cashier has not acknowledged. */
  readonly #unsent = new Map<number, CallbackOf>();
  /** The requests on their way, by payment. */
  readonly #pressed = new Map<string, Pressed>();
  #audited: ((audit: Extract<FromCashier, { kind: 'audited' }>) => void) | undefined;

  /** Rejects when a node ends by itself. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever waits for it gets the error.
    this.failed.catch(() => undefined);
  }

  /** @param prepare fills the database that a first node has made. The nodes that take payments start after it */
  async start(companies: readonly Company[], prepare: () => Promise<void>): Promise<void> {
    this.#companies = companies;
    await this.#startNode();
    await prepare();
    await Promise.all([...this.#children].map((child) => this.#kill(child)));
    await Promise.all(Array.from({ length: NODES }, () => this.#startNode()));
  }

  async #startNode(): Promise<void> {
    const child = this.#spare ?? this.#spawn();
    this.#spare = this.#spawn();
    const ready = new Promise<void>((resolve, reject) => {
      child.on('message', (message: FromCashier) => {
        if (message.kind === 'ready') resolve();
        else this.#hear(child, message);
      });
      child.once('exit', (code, signal) => {
        const ended = new Error(`A node ended with ${code ?? signal}:\n${this.log.slice(-20).join('')}`);
        reject(ended);
        // Nobody killed it: its payers would wait for ever.
        if (this.#children.includes(child)) this.#fail(ended);
      });
    });
    child.send({ kind: 'start' } satisfies ToCashier);
    await ready;
    this.#children.push(child);
  }

  /** A process that loads its modules and then waits for its start. */
  #spawn(): ChildProcess {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: this.#databaseUrl,
        COMPANIES: this.#companies.map(({ name }) => name).join(','),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    }
    return child;
  }

  /**
   * Kills the oldest node as in a power cut: no handler runs. The others go on, and a new node starts at once.
   * @returns the payments that it had in hand. Its leases still run
   */
  async killAndStart(): Promise<readonly string[]> {
    const [oldest] = this.#children;
    const inHand = oldest === undefined ? [] : await this.#kill(oldest);
    this.kills += 1;
    await this.#startNode();
    return inHand;
  }

  async stop(): Promise<void> {
    this.#spare?.kill('SIGKILL');
    await Promise.all([...this.#children].map((child) => this.#kill(child)));
  }

  async #kill(child: ChildProcess): Promise<readonly string[]> {
    this.#children.splice(this.#children.indexOf(child), 1);
    // One that has ended by itself says so no second time.
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    const inHand = [...this.#pressed].filter(([, pressed]) => pressed.child === child);
    // The widgets ask again under the same key. Companies send again what was not acknowledged.
    for (const [, { answer }] of inHand) answer(undefined);
    for (const n of this.#unsent.keys()) this.#send(n);
    return inHand.map(([id]) => id);
  }

  /** A company's callback, until the cashier acknowledges it. */
  call(callback: CallbackOf, delayMs: number): void {
    this.#callbacks += 1;
    const n = this.#callbacks;
    this.#unsent.set(n, callback);
    setTimeout(() => this.#send(n), delayMs);
  }

  get unsent(): number {
    return this.#unsent.size;
  }

  /**
   * Many payers at once. Each widget repeats its request until it has an answer that is not "in flight". While one waits to repeat it,
   * others pay: after a death the payments of the dead process stay busy for a while.
   * @param isOver when true, the payments that have begun are finished, and no further one begins
   * @returns the payments that have begun, in order
   */
  async pay(payments: readonly Payment[], isOver: () => boolean): Promise<readonly Payment[]> {
    const repeated: { readonly payment: Payment; readonly at: number }[] = [];
    let begun = 0;
    let ended = 0;
    const next = (): Payment | undefined => {
      if ((repeated[0]?.at ?? Number.POSITIVE_INFINITY) <= Date.now()) return repeated.shift()?.payment;
      const payment = isOver() ? undefined : payments[begun];
      if (payment !== undefined) begun += 1;
      return payment;
    };
    const payer = async (): Promise<void> => {
      while (ended < begun || (begun < payments.length && !isOver())) {
        const payment = next();
        if (payment === undefined) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          continue;
        }
        const code = await this.#press(payment);
        if (isFinal(code)) {
          this.answers.set(payment.id, code);
          ended += 1;
        } else repeated.push({ payment, at: Date.now() + RETRY_MS });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, payer));
    return payments.slice(0, begun);
  }

  /** The audit of the whole ledger, and every stored decision, decided again. */
  audit(): Promise<Extract<FromCashier, { kind: 'audited' }>> {
    const audited = new Promise<Extract<FromCashier, { kind: 'audited' }>>((resolve) => {
      this.#audited = resolve;
      this.#tell({ kind: 'audit' });
    });
    return Promise.race([audited, this.failed]);
  }

  #press(payment: Payment): Promise<string | undefined> {
    return new Promise((resolve) => {
      const child = this.#next();
      if (child === undefined) return resolve(undefined);
      const answer = (code: string | undefined): void => {
        this.#pressed.delete(payment.id);
        resolve(code);
      };
      this.#pressed.set(payment.id, { child, answer });
      child.send({ kind: 'create', ...payment } satisfies ToCashier);
    });
  }

  #hear(child: ChildProcess, message: FromCashier): void {
    switch (message.kind) {
      case 'created':
        this.#pressed.get(message.id)?.answer(message.code);
        return;
      case 'received':
        if (message.receipt === 'accepted') this.#unsent.delete(message.n);
        else setTimeout(() => this.#send(message.n), RETRY_MS);
        return;
      case 'audited':
        this.#audited?.(message);
        return;
      case 'ask': {
        const { n, company: name, call, id, amount } = message;
        const company = this.#companies.find((one) => one.name === name);
        const reply = (answer: CompanyAnswer): boolean => {
          if (!child.connected || child.signalCode !== null) return false;
          child.send({ kind: 'answer', n, answer } satisfies ToCashier);
          return true;
        };
        if (call === 'create') company?.create(id, amount, reply);
        else if (company !== undefined) reply(company.inquire(id));
        return;
      }
      case 'ready':
    }
  }

  #send(n: number): void {
    const callback = this.#unsent.get(n);
    // After a death the next process gets it.
    if (callback !== undefined) this.#tell({ kind: 'callback', n, ...callback });
  }

  #tell(message: ToCashier): void {
    this.#next()?.send(message);
  }

  /** The nodes take turns. Undefined: none runs. */
  #next(): ChildProcess | undefined {
    this.#turn += 1;
    const connected = this.#children.filter((child) => child.connected);
    return connected[this.#turn % connected.length];
  }
}

/** False: no answer, or one that is no outcome. A widget repeats its request after a fault of the server. */
function isFinal(code: string | undefined): code is string {
  return code !== undefined && code !== 'in-flight' && code !== 'temporarily-unavailable' && code !== 'internal';
}
