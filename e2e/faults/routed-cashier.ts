/** A cashier with a route over several companies, as a process that its test kills, and the payers who use it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CallbackOf, Company } from './companies.ts';
import type { FromCashier, ToCashier } from './routed-messages.ts';

const program = fileURLToPath(new URL('../../apps/server/.cache/faults/routed-main.js', import.meta.url));
/** How many payers press at the same time. */
const ATONCE = 48;
const RETRY_MS = 200;

export interface Payment {
  readonly id: string;
  readonly userId: string;
  /** Major units. */
  readonly amount: string;
}

export class RoutedCashier {
  /** The code of the last answer to each payer. */
  readonly answers = new Map<string, string>();
  /** What the process wrote. */
  readonly log: string[] = [];
  kills = 0;
  readonly #databaseUrl: string;
  #companies: readonly Company[] = [];
  #child: ChildProcess | undefined;
  #callbacks = 0;
  /** Callbacks that the cashier has not acknowledged. */
  readonly #unsent = new Map<number, CallbackOf>();
  readonly #pressed = new Map<string, (code: string | undefined) => void>();
  #audited: ((audit: Extract<FromCashier, { kind: 'audited' }>) => void) | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(companies: readonly Company[]): Promise<void> {
    this.#companies = companies;
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: this.#databaseUrl,
        COMPANIES: companies.map(({ name }) => name).join(','),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    }
    const ready = new Promise<void>((resolve, reject) => {
      child.on('message', (message: FromCashier) => {
        if (message.kind === 'ready') resolve();
        else this.#hear(child, message);
      });
      child.once('exit', () => reject(new Error(`The cashier ended:\n${this.log.slice(-20).join('')}`)));
    });
    await ready;
    for (const n of this.#unsent.keys()) this.#send(n);
  }

  /** As in a power cut: no handler runs. Starts again at once, while the leases of the dead process still run. */
  async killAndStart(): Promise<void> {
    await this.stop();
    this.kills += 1;
    await this.start(this.#companies);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    // The widgets ask again under the same key.
    for (const answer of [...this.#pressed.values()]) answer(undefined);
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

  /** Many payers at once. Each widget repeats its request until it has an answer that is not "in flight". */
  async pay(payments: readonly Payment[]): Promise<void> {
    const queue = payments.values();
    const payer = async (): Promise<void> => {
      for (const payment of queue) {
        let code: string | undefined = 'in-flight';
        while (code === undefined || code === 'in-flight' || code === 'temporarily-unavailable') {
          code = await this.#press(payment);
          if (code !== 'ok')
            await new Promise((resolve) =>
              setTimeout(resolve, code === undefined || code === 'in-flight' ? RETRY_MS : 0),
            );
        }
        this.answers.set(payment.id, code);
      }
    };
    await Promise.all(Array.from({ length: ATONCE }, payer));
  }

  /** The audit of the whole ledger, and the decisions of some payments, decided again. */
  audit(ids: readonly string[]): Promise<Extract<FromCashier, { kind: 'audited' }>> {
    return new Promise((resolve) => {
      this.#audited = resolve;
      this.#tell({ kind: 'audit', ids });
    });
  }

  #press(payment: Payment): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#child?.connected !== true) return resolve(undefined);
      this.#pressed.set(payment.id, (code) => {
        this.#pressed.delete(payment.id);
        resolve(code);
      });
      this.#tell({ kind: 'create', ...payment });
    });
  }

  #hear(child: ChildProcess, message: FromCashier): void {
    switch (message.kind) {
      case 'created':
        this.#pressed.get(message.id)?.(message.code);
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
        const answer = call === 'create' ? company?.create(id, amount) : company?.inquire(id);
        if (answer !== undefined && child.connected) child.send({ kind: 'answer', n, answer } satisfies ToCashier);
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
    if (this.#child?.connected === true) this.#child.send(message);
  }
}
