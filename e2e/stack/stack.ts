/**
 * A whole cashier for a test file: the built server and the built demo operator as real processes on free ports. They use an embedded
 * database in a new folder, or PostgreSQL when `DATABASE_URL` names a server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isTaken } from '../../scripts/machine/ports.mjs';

/** Below the ports that systems give out by themselves. */
const FIRST_PORT = 21_000;
const PORTS_PER_WORKER = 1_000;

const root = fileURLToPath(new URL('../../', import.meta.url));
// Long, since four programs may start at once on a machine with two cores.
const startLimitMs = 120_000;
const stopLimitMs = 30_000;

interface Program {
  child: ChildProcess;
  log: string[];
}

export interface StackOptions {
  /** Further environment of the cashier's server. */
  env?: Record<string, string>;
  /** Further origins that the demo operator may embed the cashier on. */
  origins?: string[];
  /** Uses the embedded database even when `DATABASE_URL` names a server, for tests of a fresh `npm start`. */
  isEmbedded?: boolean;
  /** Whether the provider's pages have another origin than the cashier, as with real providers. */
  isProviderElsewhere?: boolean;
  /** Whether the demo operator keeps the balances in a wallet of its own, which the cashier calls. */
  hasOwnWallet?: boolean;
}

export class Stack {
  readonly cashierUrl: string;
  readonly demoUrl: string;
  /** The same server under another origin, for the sandbox's pages. */
  readonly providerUrl: string;
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  readonly operatorKey: string;
  readonly webhookSecret: string;
  #cashier: Program | undefined;
  #demo: Program | undefined;
  readonly #ports: { cashier: number; demo: number };
  readonly #secrets: Record<string, string>;
  readonly #options: StackOptions;
  /** The logs of both programs since the start, for tests that search them for secrets. */
  readonly log: string[] = [];

  private constructor(
    ports: { cashier: number; demo: number },
    dataFolder: string,
    databaseUrl: string | undefined,
    options: StackOptions,
  ) {
    this.#ports = ports;
    this.cashierUrl = `http://localhost:${ports.cashier}`;
    this.providerUrl = `http://127.0.0.1:${ports.cashier}`;
    this.demoUrl = `http://localhost:${ports.demo}`;
    this.dataFolder = dataFolder;
    this.databaseUrl = databaseUrl;
    this.#options = options;
    this.operatorKey = `sk_test_${randomBytes(24).toString('base64url')}`;
    this.webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
    this.#secrets = {
      SANDBOX_PROVIDER_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      TOKEN_SECRET: randomBytes(48).toString('base64url'),
    };
  }

  static async start(options: StackOptions = {}): Promise<Stack> {
    const ports = { cashier: await freePort(), demo: await freePort() };
    const dataFolder = await mkdtemp(join(tmpdir(), 'opencashier-e2e-'));
    const serverUrl = options.isEmbedded ? undefined : process.env.DATABASE_URL;
    const databaseUrl = serverUrl ? await createDatabase(serverUrl) : undefined;
    const stack = new Stack(ports, dataFolder, databaseUrl, options);
    await stack.startCashier();
    await stack.#startDemo();
    if (options.hasOwnWallet) await stack.#setOwnWallet();
    return stack;
  }

  /** Starts the cashier, unless it runs. */
  async startCashier(): Promise<void> {
    if (this.#cashier !== undefined) return;
    this.#cashier = this.#launch('apps/server/dist/main.js', {
      PORT: String(this.#ports.cashier),
      HOST: '127.0.0.1',
      DATA_DIR: this.dataFolder,
      ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }),
      PUBLIC_URL: this.cashierUrl,
      ...(this.#options.isProviderElsewhere && { SANDBOX_URL: this.providerUrl }),
      LOG_LEVEL: 'info',
      SANDBOX: '1',
      DRAIN_SECONDS: '0',
      SEED_DEMO_OPERATOR_KEY: this.operatorKey,
      SEED_DEMO_WEBHOOK_SECRET: this.webhookSecret,
      SEED_DEMO_ORIGIN: [this.demoUrl, ...(this.#options.origins ?? [])].join(','),
      SEED_DEMO_WEBHOOK_URL: `${this.demoUrl}/webhooks/cashier`,
      ...this.#secrets,
      ...this.#options.env,
    });
    await this.#untilHealthy(this.#cashier, `${this.cashierUrl}/ready`);
  }

  /** Requests a user token, as an operator's backend does. */
  async mintToken(user: { userId: string; currency: string; country?: string }): Promise<string> {
    const answer = await fetch(`${this.cashierUrl}/operator/v1/user-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
    if (!answer.ok) throw new Error(`user-tokens answered ${answer.status}`);
    const { token } = (await answer.json()) as { token: string };
    return token;
  }

  async #startDemo(): Promise<void> {
    this.#demo = this.#launch('apps/demo/dist/server/main.js', {
      DEMO_PORT: String(this.#ports.demo),
      HOST: '127.0.0.1',
      CASHIER_URL: this.cashierUrl,
      OPERATOR_KEY: this.operatorKey,
      WEBHOOK_SECRET: this.webhookSecret,
      DATA_DIR: this.dataFolder,
      ...(this.#options.hasOwnWallet && { DEMO_WALLET: 'operator' }),
    });
    await this.#untilHealthy(this.#demo, `${this.demoUrl}/health`);
  }

  /** Sets the mode by the command of the documents, while the cashier runs. */
  async #setOwnWallet(): Promise<void> {
    const wallet = `${this.demoUrl}/cashier-wallet`;
    const program = this.#launch(
      'apps/server/dist/cli.js',
      {
        DATA_DIR: this.dataFolder,
        ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }),
        SANDBOX: '1',
      },
      ['set-wallet', 'demo', 'operator', '--wallet-url', wallet],
    );
    await once(program.child, 'close');
    if (program.child.exitCode !== 0) throw new Error(program.log.join(''));
  }

  /** Ends the cashier as a power cut would: no signal handler runs. */
  async killCashier(): Promise<void> {
    await end(this.#cashier, 'SIGKILL');
    this.#cashier = undefined;
  }

  async stopCashier(): Promise<void> {
    await end(this.#cashier, 'SIGTERM');
    this.#cashier = undefined;
  }

  async stop(): Promise<void> {
    await Promise.all([end(this.#demo, 'SIGTERM'), end(this.#cashier, 'SIGTERM')]);
    this.#demo = undefined;
    this.#cashier = undefined;
    await rm(this.dataFolder, { recursive: true, force: true });
  }

  #launch(file: string, env: Record<string, string>, args: readonly string[] = []): Program {
    const { DATABASE_URL: _other, ...inherited } = process.env;
    const child = spawn(process.execPath, [file, ...args], {
      cwd: root,
      env: { ...inherited, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log.push(text);
        this.log.push(text);
      });
    }
    return { child, log };
  }

  async #untilHealthy(program: Program, url: string): Promise<void> {
    const deadline = Date.now() + startLimitMs;
    while (Date.now() < deadline) {
      if (program.child.exitCode !== null) {
        throw new Error(`A program ended while starting:\n${program.log.join('')}`);
      }
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${url} did not become healthy:\n${program.log.join('')}`);
  }
}

async function end(program: Program | undefined, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!program || program.child.exitCode !== null || program.child.signalCode !== null) return;
  const closed = once(program.child, 'close');
  program.child.kill(signal);
  const timer = setTimeout(() => program.child.kill('SIGKILL'), stopLimitMs);
  await closed;
  clearTimeout(timer);
}

let portsTried = 0;

/** A free port that no other worker takes at the same moment, and that the system gives to no connection of its own. */
async function freePort(): Promise<number> {
  const first = FIRST_PORT + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) * PORTS_PER_WORKER;
  for (let attempt = 0; attempt < PORTS_PER_WORKER; attempt += 1) {
    const port = first + (portsTried % PORTS_PER_WORKER);
    portsTried += 1;
    if (!(await isTaken(port, '127.0.0.1'))) return port;
  }
  throw new Error(`No port from ${first} on is free`);
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
