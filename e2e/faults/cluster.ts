/**
 * The arrangement of `compose.yaml` as plain processes: PostgreSQL that syncs as in production, Redis, nodes of the built server
 * and a load balancer. Each part can be killed and brought back.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../../scripts/machine/ports.mjs';
import { ensurePostgres, startPostgres } from '../../scripts/machine/postgres.mjs';
import { ensureRedis, startRedis } from '../../scripts/machine/redis.mjs';
import { Balancer } from './balancer.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readyWithinMs = 30_000;

interface Node {
  readonly port: number;
  readonly url: string;
  child: ChildProcess | undefined;
}

/** A web-hook as the operator got it. */
interface Received {
  readonly id: string;
  readonly type: string;
  readonly depositId: string;
}

export class Cluster {
  readonly url: string;
  readonly nodes: readonly Node[];
  /** Everything that any node logged. */
  readonly log: string[] = [];
  readonly received: Received[] = [];
  /** Every token that was given out, for the check that none is logged. */
  readonly tokens: string[] = [];
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly redis: Awaited<ReturnType<typeof startRedis>>;
  readonly #balancer: Balancer;
  readonly #operator: Server;
  readonly #env: Readonly<Record<string, string>>;
  readonly #operatorKey: string;

  private constructor(
    parts: Pick<Cluster, 'url' | 'nodes' | 'postgres' | 'redis'> & {
      readonly balancer: Balancer;
      readonly operator: Server;
      readonly webhookUrl: string;
      readonly env: Readonly<Record<string, string>>;
    },
  ) {
    this.url = parts.url;
    this.nodes = parts.nodes;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.#balancer = parts.balancer;
    this.#operator = parts.operator;
    this.#operatorKey = `sk_test_${randomBytes(24).toString('base64url')}`;
    this.#operator.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          type: string;
          data: { depositId: string };
        };
        this.received.push({ id: String(request.headers['webhook-id']), type, depositId: data.depositId });
        response.writeHead(204).end();
      });
    });
    this.#env = {
      HOST: '127.0.0.1',
      DATABASE_URL: parts.postgres.url,
      REDIS_URL: parts.redis.url,
      PUBLIC_URL: parts.url,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      SANDBOX: '1',
      RATE_LIMITS: '0',
      SEED_DEMO_OPERATOR_KEY: this.#operatorKey,
      SEED_DEMO_ORIGIN: 'https://operator.example',
      SEED_DEMO_WEBHOOK_URL: parts.webhookUrl,
      SEED_DEMO_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      SANDBOX_PROVIDER_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      TOKEN_SECRET: randomBytes(48).toString('base64url'),
      ...parts.env,
    };
  }

  /** @param env further environment of every node */
  static async start(count = 2, env: Readonly<Record<string, string>> = {}): Promise<Cluster> {
    const postgres = await startPostgres(await ensurePostgres(), { isDurable: true });
    const redis = await startRedis(await ensureRedis());
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
      postgres,
      redis,
      balancer,
      operator,
      webhookUrl: `http://127.0.0.1:${operatorPort}/webhooks`,
      env,
    });
    // At once: nodes that start together must not trip over each other's migrations.
    await Promise.all(nodes.map((_, index) => cluster.startNode(index)));
    return cluster;
  }

  async startNode(index: number): Promise<void> {
    const node = this.#node(index);
    const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...this.#env, PORT: String(node.port), DATA_DIR: `.data/unused-${node.port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    node.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    }
    const deadline = Date.now() + readyWithinMs;
    while (Date.now() < deadline && child.exitCode === null) {
      const answer = await fetch(`${node.url}/ready`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`A node did not start:\n${this.log.slice(-20).join('')}`);
  }

  /** `SIGKILL`: no handler runs, as in a power cut; `SIGTERM`: as an operator's supervisor does it. */
  async endNode(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this.#node(index);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  /** As the operator's backend does it. */
  async mintToken(userId: string): Promise<string> {
    const answer = await fetch(`${this.url}/operator/v1/user-tokens`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#operatorKey}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ userId, currency: 'USD', country: 'IN' }),
    });
    if (!answer.ok) throw new Error(`user-tokens answered ${answer.status}`);
    const { token } = (await answer.json()) as { token: string };
    this.tokens.push(token);
    return token;
  }

  /** Past every line of the cashier's code. */
  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((_, index) => this.endNode(index, 'SIGTERM')));
    await this.#balancer.stop();
    this.#operator.closeAllConnections();
    this.#operator.close();
    await Promise.all([this.postgres.stop(), this.redis.stop()]);
  }

  #node(index: number): Node {
    const node = this.nodes[index];
    if (node === undefined) throw new RangeError(`No node ${index}`);
    return node;
  }
}
