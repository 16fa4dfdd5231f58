/** Two cells behind one router: each has its own PostgreSQL, Redis, node and secrets, and its own operators. */
import { createHmac, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { freePort } from '../../scripts/machine/ports.mjs';
import { Cluster, type OperatorSecrets, type Printed, postAsOperator, tokenFrom, tokenRequest } from './cluster.ts';
import type { Cashier } from './payer.ts';
import { cellsByName, Router } from './router.ts';

const domain = 'pay.example';
const cellNames = [...new Set(cellsByName.values())];
/** The names that are no cell's own name. */
const partners = [...cellsByName].filter(([name, cell]) => name !== cell);

interface Webhook {
  readonly type: string;
  /** The id of the deposit or withdrawal. */
  readonly paymentId: string;
  /** Whether the operator's own secret signed it. */
  readonly isGenuine: boolean;
}

/** An operator, at its own address below the domain. */
export class CellOperator implements Cashier {
  readonly partner: string;
  readonly cell: string;
  readonly url: string;
  readonly webhooks: Webhook[] = [];
  readonly secretKey: string;
  readonly #webhookSecret: string;

  constructor(partner: string, cell: string, url: string, { secretKey, webhookSecret }: OperatorSecrets) {
    this.partner = partner;
    this.cell = cell;
    this.url = url;
    this.secretKey = secretKey;
    this.#webhookSecret = webhookSecret;
  }

  askAsOperator(path: string, body: object): Promise<Response> {
    return postAsOperator(this.url, this.secretKey, path, body);
  }

  async mintToken(userId: string): Promise<string> {
    return tokenFrom(await this.askAsOperator('user-tokens', tokenRequest(userId)));
  }

  take(body: string, headers: IncomingHttpHeaders): void {
    const { type, data } = JSON.parse(body) as { type: string; data: { depositId?: string; withdrawalId?: string } };
    const key = Buffer.from(this.#webhookSecret.replace(/^whsec_/, ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const isGenuine =
      headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    this.webhooks.push({ type, paymentId: data.depositId ?? data.withdrawalId ?? '', isGenuine });
  }
}

export class Cells {
  readonly port: number;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly operators = new Map<string, CellOperator>();
  readonly #router: Router;
  readonly #receiver: Server;
  readonly #unresolve: () => void;

  private constructor(port: number, clusters: ReadonlyMap<string, Cluster>, router: Router, receiver: Server) {
    this.port = port;
    this.clusters = clusters;
    this.#router = router;
    this.#receiver = receiver;
    this.#unresolve = resolveHere();
    receiver.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.operators.get(request.url?.slice(1) ?? '')?.take(Buffer.concat(chunks).toString('utf8'), request.headers);
        response.writeHead(204).end();
      });
    });
  }

  static async start(): Promise<Cells> {
    const port = await freePort();
    const clusters = new Map<string, Cluster>();
    for (const cell of cellNames) clusters.set(cell, await Cluster.start({ nodes: 1, env: settingsOf(cell, port) }));
    const ports = new Map([...clusters].map(([cell, { balancer }]) => [cell, balancer.port]));
    const receiver = createServer();
    const receiverPort = await freePort();
    await new Promise<void>((resolve) => receiver.listen(receiverPort, '127.0.0.1', resolve));
    const cells = new Cells(port, clusters, await Router.start(port, domain, ports), receiver);
    for (const [partner, cell] of partners) await cells.#addOperator(partner, cell, receiverPort);
    return cells;
  }

  cluster(cell: string): Cluster {
    const cluster = this.clusters.get(cell);
    if (cluster === undefined) throw new RangeError(`No cell ${cell}`);
    return cluster;
  }

  operator(partner: string): CellOperator {
    const operator = this.operators.get(partner);
    if (operator === undefined) throw new RangeError(`No operator ${partner}`);
    return operator;
  }

  /** The public address of a name below the domain. */
  urlOf(name: string): string {
    return `http://${name}.${domain}:${this.port}`;
  }

  /** Runs `opencashier` with the settings of one cell. */
  run(cell: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Printed> {
    return this.cluster(cell).run(args, env);
  }

  async stop(): Promise<void> {
    this.#unresolve();
    await this.#router.stop();
    this.#receiver.closeAllConnections();
    this.#receiver.close();
    await Promise.all([...this.clusters.values()].map((cluster) => cluster.stop()));
  }

  async #addOperator(partner: string, cell: string, receiverPort: number): Promise<void> {
    const hook = `http://127.0.0.1:${receiverPort}/${partner}`;
    const secrets = await this.cluster(cell).createOperator(partner, ['--webhook-url', hook]);
    const operator = new CellOperator(partner, cell, this.urlOf(partner), secrets);
    this.operators.set(partner, operator);
  }
}

/** What differs between cells, beside the database and Redis. Each cell has secrets of its own; `Cluster` makes them. */
function settingsOf(cell: string, port: number): Record<string, string> {
  return {
    PUBLIC_URL: `http://${cell}.${domain}:${port}`,
    // No operator that both cells have.
    SEED_DEMO_OPERATOR_KEY: '',
    // The router and the cell's balancer, of which only the router names the caller.
    TRUST_PROXY: '1',
    DATA_KEY: randomBytes(32).toString('base64url'),
  };
}

/** Lets every name below the domain lead to this machine, as in the public name service. Returns the way back. */
function resolveHere(): () => void {
  const system = dns.lookup;
  const here = (name: string, ...rest: unknown[]): void => {
    const lookup = system as (name: string, ...rest: unknown[]) => void;
    lookup(name.endsWith(`.${domain}`) ? '127.0.0.1' : name, ...rest);
  };
  dns.lookup = here as typeof dns.lookup;
  return () => {
    dns.lookup = system;
  };
}
