/** `/health`, `/ready` and `/metrics` (SRV-9). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../database/guarded-database.ts';
import { isSameSecret } from '../sealing/is-same-secret.ts';
import type { Metrics } from './metrics.ts';

export interface ProbeOptions {
  readonly metrics: Metrics;
  /** Whether the node is on its way out: told before it takes no more, so that load balancers leave it in time. */
  readonly isDraining: () => boolean;
  /** Rejects or never answers while the database is away; `DatabaseUnavailable` says why. */
  ping(): Promise<void>;
  /** Who may read the metrics from elsewhere than this machine; without it nobody may. */
  readonly metricsToken?: string | undefined;
}

const pingWithinMs = 2000;

/** What `/ready` says, and for whom it says more. */
const readiness = {
  ready: 'Everything is there.',
  draining: 'The node is stopping. It finishes what is in hand and takes no new work.',
  'database-unavailable': 'The database does not answer.',
  'database-full': 'The disk of the database is full. Nothing can be paid until there is room.',
} as const;
type Readiness = keyof typeof readiness;

/** `/health`: the process answers. `/ready`: it can also do its work, else 503 and why not. */
export function registerProbes(server: FastifyInstance, options: ProbeOptions): void {
  server.get('/health', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  const stateNow = async (): Promise<Readiness> => {
    if (options.isDraining()) return 'draining';
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        options.ping(),
        new Promise((_resolve, reject) => {
          timer = setTimeout(() => reject(new Error('The database does not answer.')), pingWithinMs);
        }),
      ]);
      return 'ready';
    } catch (error) {
      server.log.warn({ err: error }, 'not ready');
      return error instanceof DatabaseUnavailable ? error.reason : 'database-unavailable';
    } finally {
      clearTimeout(timer);
    }
  };
  for (const path of ['/ready', '/health/ready']) {
    server.get(path, async (_request, reply) => {
      const status = await stateNow();
      return reply
        .code(status === 'ready' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status, detail: readiness[status] });
    });
  }

  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken)) return reply.callNotFound();
    const { contentType, text } = await options.metrics.read();
    return reply.header('content-type', contentType).header('cache-control', 'no-store').send(text);
  });
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`);
  return isFromThisMachine(request);
}

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;
/** What a proxy adds: it also comes from this machine, but for somebody else. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];
/** A page in a browser of this machine comes from it as well, by a name of its own. */
const ownName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return (
    loopback.test(socket.remoteAddress ?? '') &&
    ownName.test(headers.host ?? '') &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}
