/**
 * The services of `compose.yaml` as plain processes: PostgreSQL that syncs as in production, Redis, nodes of the built server and a
 * load balancer. Each part can be killed and started again. Or one node with its embedded database, as `npm start` runs it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/machine/ports.mjs';
import { ensurePostgres, startPostgres } from '../../scripts/machine/postgres.mjs';
import { ensureRedis, startRedis } from '../../scripts/machine/redis.mjs';
import { slowness } from '../../scripts/machine/slowness.mjs';
import { Balancer } from './balancer.ts';
import { type ClusterDatabase, embeddedFolder, passTimeStatements, postgresAt } from './cluster-database.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A busy machine starts a node slowly. */
const readyWithinMs = (): number => 90_000 * slowness();

interface Node {
  readonly port: number;
  readonly url: string;
  child: ChildProcess | undefined;
}

/**
 * Programs of the server. `dying` kills itself at a failpoint, `newer` is the next version (`apps/server/src/testing`). `served` is a module
 * that connects to the embedded database of a running node.
 */
const programs = {
  production: 'apps/server/dist/main.js',
  dying: 'apps/server/.cache/faults/dying-main.js',
  newer: 'apps/server/.cache/faults/newer-main.js',
  served: 'apps/server/.cache/faults/served-client.js',
} as const;
type Program = Exclude<keyof typeof programs, 'served'>;

/** A webhook that the operator got. */
interface Received {
  readonly id: string;
  readonly type: string;
  /** The id of the deposit, withdrawal or refund. */
  readonly paymentId: string;
}

/** What `create-operator` prints once. */
export interface OperatorSecrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** What a command of `opencashier` printed, and how it ended. */
export interface Printed {
  readonly exitCode: number;
  readonly out: string;
  readonly errors: string;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** `embedded`: one node of the program `dying`, without Redis. Absent: PostgreSQL. */
  readonly database?: 'embedded';
  readonly program?: Program;
  /** Further environment of every node. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Services {
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly redis: Awaited<ReturnType<typeof startRedis>>;
}

async function startServices(): Promise<Services> {
  const postgres = await startPostgres(await ensurePostgres(), { isDurable: true });
  return { postgres, redis: await startRedis(await ensureRedis()) };
}

export class Cluster {
  readonly url: string;
  readonly nodes: readonly Node[];
  /** The logs of all nodes. */
  readonly log: string[] = [];
  readonly received: Received[] = [];
  /** Whether the operator accepts webhooks and never answers. */
  isOperatorHanging = false;
  /** Every secret that was issued or typed, for the check that none is logged. */
  readonly secrets: string[] = [];
  /** The provider signs its callbacks with it. */
  readonly providerSecret = `whsec_${randomBytes(32).toString('base64')}`;
  /** The cashier signs its webhooks to the operator with it. */
  readonly operatorWebhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  readonly balancer: Balancer;
  readonly #services: Services | undefined;
  readonly #database: ClusterDatabase;
  readonly #operator: Server;
  readonly #env: Readonly<Record<string, string>>;
  readonly #operatorKey: string;
  readonly #program: Program;
  /** A process with all modules loaded that waits for its start. */
  #spare: ChildProcess | undefined;

  private constructor(
    parts: Pick<Cluster, 'url' | 'nodes' | 'balancer'> & {
      readonly services: Services | undefined;
      readonly database: ClusterDatabase;
      readonly operator: Server;
      readonly webhookUrl: string;
      readonly env: Readonly<Record<string, string>>;
      readonly program: Program;
    },
  ) {
    this.url = parts.url;
    this.nodes = parts.nodes;
    this.#services = parts.services;
    this.#database = parts.database;
    this.balancer = parts.balancer;
    this.#operator = parts.operator;
    this.#program = parts.program;
    this.#operatorKey = `sk_test_${randomBytes(24).toString('base64url')}`;
    this.#operator.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      if (this.isOperatorHanging) return;
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          type: string;
          data: { depositId?: string; withdrawalId?: string };
        };
        const paymentId = data.depositId ?? data.withdrawalId ?? '';
        this.received.push({ id: String(request.headers['webhook-id']), type, paymentId });
        response.writeHead(204).end();
      });
    });
    this.#env = {
      HOST: '127.0.0.1',
      ...parts.database.env,
      ...(parts.services && { REDIS_URL: parts.services.redis.url }),
      PUBLIC_URL: parts.url,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      SANDBOX: '1',
      RATE_LIMITS: '0',
      DRAIN_SECONDS: '0',
      SEED_DEMO_OPERATOR_KEY: this.#operatorKey,
      SEED_DEMO_ORIGIN: 'https://operator.example',
      SEED_DEMO_WEBHOOK_URL: parts.webhookUrl,
      SEED_DEMO_WEBHOOK_SECRET: this.operatorWebhookSecret,
      SANDBOX_PROVIDER_SECRET: this.providerSecret,
      TOKEN_SECRET: randomBytes(48).toString('base64url'),
      WIDGET_DIR: join(root, 'apps/widget/dist'),
      ...parts.env,
    };
    const { TOKEN_SECRET: tokenSecret = '' } = this.#env;
    this.secrets.push(this.#operatorKey, this.providerSecret, this.operatorWebhookSecret, tokenSecret);
  }

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const { nodes: count = 2, program = 'production', env = {} } = options;
    const services = options.database === 'embedded' ? undefined : await startServices();
    const database = services ? postgresAt(services.postgres.url) : await embeddedFolder(join(root, programs.served));
    const nodes: Node[] = [];
    for (let index = 0; index < count; index += 1) {
      const port = await freePort();
      nodes.push({ port, url: `http://127.0.0.1:${port}`, child: undefined });
    }
    const balancer = await Balancer.start(
      await freePort(),
      nodes.map(({ port }) => port),
    );
    const operator = createServer();
    const operatorPort = await freePort();
    await new Promise<void>((resolve) => operator.listen(operatorPort, '127.0.0.1', resolve));
    const cluster = new Cluster({
      url: `http://127.0.0.1:${balancer.port}`,
      nodes,
      services,
      database,
      balancer,
      operator,
      webhookUrl: `http://127.0.0.1:${operatorPort}/webhooks`,
      env,
      program,
    });
    // All at once: nodes that start together must not disturb each other's migrations.
    await Promise.all(nodes.map((_, index) => cluster.startNode(index)));
    return cluster;
  }

  get postgres(): Services['postgres'] {
    return this.#needServices().postgres;
  }

  get redis(): Services['redis'] {
    return this.#needServices().redis;
  }

  /** @param program absent: that of the cluster */
  async startNode(index: number, program: Program = this.#program): Promise<void> {
    const node = this.#node(index);
    const child = this.#spare ?? this.#spawn(node.port, program);
    node.child = child;
    if (this.#program === 'dying') {
      child.send({ start: true });
      // A spare needs the port of its node, so it is only useful with one node.
      this.#spare = this.nodes.length === 1 ? this.#spawn(node.port) : undefined;
    }
    const deadline = Date.now() + readyWithinMs();
    let reason = 'no answer';
    while (Date.now() < deadline && child.exitCode === null) {
      const answer = await fetch(`${node.url}/ready`).catch(() => undefined);
      if (answer?.ok) return;
      reason = (await answer?.text()) ?? reason;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`A node did not start (${reason}):\n${this.log.slice(-20).join('')}`);
  }

  #spawn(port: number, program: Program = this.#program): ChildProcess {
    const child = spawn(process.execPath, [programs[program]], {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: `.data/unused-${port}`, ...this.#env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', ...(this.#program === 'dying' ? (['ipc'] as const) : [])],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    }
    return child;
  }

  /** From now on the node dies at the failpoint. Resolves once the node has confirmed it. */
  async dieAt(index: number, point: string): Promise<void> {
    const { child } = this.#node(index);
    if (child === undefined) throw new Error(`Node ${index} is not running.`);
    const armed = once(child, 'message');
    child.send({ dieAt: point });
    await armed;
  }

  /** Resolves when the node has killed itself. */
  async dead(index: number, withinMs: number): Promise<void> {
    const { child } = this.#node(index);
    if (child === undefined) throw new Error(`Node ${index} is not running.`);
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit', { signal: AbortSignal.timeout(withinMs) });
    }
    if (child.signalCode !== 'SIGKILL') throw new Error(`It ended with ${child.exitCode ?? child.signalCode}.`);
  }

  /** Starts a node that has died, as if its leases had ended: see {@link passTime}. */
  async startAgain(index: number, leasesEndS: number): Promise<void> {
    if (this.#database.isInNode) {
      await this.startNode(index);
      await this.passTime(leasesEndS);
    } else {
      await this.passTime(leasesEndS);
      await this.startNode(index);
    }
  }

  /**
   * Moves all times in the database into the past by a duration: leases of a dead node end, and retries become due. The test need not
   * wait in real time.
   */
  async passTime(seconds: number): Promise<void> {
    // One statement after the other: a transaction over all could deadlock with the nodes.
    await this.#database.run(passTimeStatements(seconds));
  }

  /**
   * `SIGKILL`: no handler runs, as in a power cut. `SIGTERM`: as a supervisor stops a node.
   * @returns how the node ended, and how long it took
   */
  async endNode(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<{ exitCode: number | null; ms: number }> {
    const { child } = this.#node(index);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return { exitCode: child?.exitCode ?? null, ms: 0 };
    }
    const startedAt = performance.now();
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return { exitCode: child.exitCode, ms: performance.now() - startedAt };
  }

  /** A request of the operator's backend. */
  askAsOperator(path: string, body: object, method: 'POST' | 'PATCH' | 'PUT' = 'POST'): Promise<Response> {
    return postAsOperator(this.url, this.#operatorKey, path, body, method);
  }

  async mintToken(userId: string): Promise<string> {
    const token = await tokenFrom(await this.askAsOperator('user-tokens', tokenRequest(userId)));
    this.secrets.push(token);
    return token;
  }

  /** Runs `opencashier` with the settings of the nodes' database. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Printed> {
    const settings = { SANDBOX: '1', DATA_DIR: '.data/unused', ...this.#database.env, ...env };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ['apps/server/dist/cli.js', ...args],
        { cwd: root, env: { PATH: process.env['PATH'], ...settings } },
        (error, out, errors) => resolve({ exitCode: error === null ? 0 : Number(error.code), out, errors }),
      );
    });
  }

  /**
   * Makes an operator by the command line.
   * @param args further arguments of `create-operator`
   * @returns its secrets, which no log may hold
   */
  async createOperator(partner: string, args: readonly string[]): Promise<OperatorSecrets> {
    const site = `https://www.${partner}.example`;
    const { exitCode, out, errors } = await this.run([
      'create-operator',
      partner,
      '--name',
      partner,
      '--origin',
      site,
      ...args,
    ]);
    if (exitCode !== 0) throw new Error(errors);
    const secrets = {
      secretKey: /secret key +(\S+)/.exec(out)?.[1] ?? '',
      webhookSecret: /webhook secret +(\S+)/.exec(out)?.[1] ?? '',
    };
    this.secrets.push(secrets.secretKey, secrets.webhookSecret);
    return secrets;
  }

  /** Runs SQL directly, without the cashier's code. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#database.run<Row>([{ text, values }]);
  }

  async stop(): Promise<void> {
    this.#spare?.kill('SIGKILL');
    await Promise.all(this.nodes.map((_, index) => this.endNode(index, 'SIGTERM')));
    await this.balancer.stop();
    this.#operator.closeAllConnections();
    this.#operator.close();
    await Promise.all([this.#services?.postgres.stop(), this.#services?.redis.stop()]);
    await this.#database.remove();
  }

  #needServices(): Services {
    if (this.#services === undefined) throw new Error('A cluster with an embedded database has no other service.');
    return this.#services;
  }

  #node(index: number): Node {
    const node = this.nodes[index];
    if (node === undefined) throw new RangeError(`No node ${index}`);
    return node;
  }
}

/** A request of an operator's backend to the cashier at `url`. */
export function postAsOperator(
  url: string,
  secretKey: string,
  path: string,
  body: object,
  method: 'POST' | 'PATCH' | 'PUT' = 'POST',
): Promise<Response> {
  return fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

/** What an operator's backend asks for a user of these tests. */
export const tokenRequest = (userId: string): object => ({ userId, currency: 'USD', country: 'IN' });

/** The token of an answer to {@link tokenRequest}. */
export async function tokenFrom(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error(`user-tokens answered ${answer.status}`);
  return ((await answer.json()) as { token: string }).token;
}
