/** `/health`, `/ready` and `/metrics` (SRV-9). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../database/guarded-database.ts';
import { isSameSecret } from '../sealing/is-same-secret.ts';
import type { Metrics } from './metrics.ts';

export interface ProbeOptions {
  readonly metrics: Metrics;
  /** Whether the node is about to stop. Reported while it still takes requests, so that load balancers leave it in time. */
  readonly isDraining: () => boolean;
  /** During an outage of the database it rejects or never answers. `DatabaseUnavailable` has the reason. */
  ping(): Promise<void>;
  /** False if rows of the next 10 minutes would find no partition. Absent: always true. */
  readonly hasPartitions?: (() => boolean) | undefined;
  /** False if the widget's build is missing, so that every page of the widget answers 503. Absent: always true. */
  readonly hasWidget?: (() => boolean) | undefined;
  /** The bearer token for reading the metrics from another machine. Absent: no other machine may read them. */
  readonly metricsToken?: string | undefined;
}

const pingWithinMs = 2000;

/** The answer of `/ready`, and its details. */
const readiness = {
  ready: 'The node can do its work.',
  draining: 'The node is stopping. It finishes the work in progress and takes no new work.',
  'database-unavailable': 'The database does not answer.',
  'database-full': 'The disk of the database is full. Nothing can be paid until it has free space.',
  'partitions-missing': 'The database has no partitions for the next 10 minutes. Run opencashier migrate.',
  'widget-missing':
    'The build of the widget is missing, so no page of the widget can be shown. Run npm run build, or set WIDGET_DIR.',
} as const;
type Readiness = keyof typeof readiness;

/** A line for each would crowd out the others: load balancers ask every second. */
const quiet = { config: { isProbe: true } };

/** `/health`: the process answers. `/ready`: it can also do its work, else 503 with the reason. */
export function registerProbes(server: FastifyInstance, options: ProbeOptions): void {
  server.get('/health', quiet, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );

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
      if (options.hasPartitions?.() === false) return 'partitions-missing';
      return options.hasWidget?.() === false ? 'widget-missing' : 'ready';
    } catch (error) {
      server.log.warn({ err: error }, 'not ready');
      return error instanceof DatabaseUnavailable ? error.reason : 'database-unavailable';
    } finally {
      clearTimeout(timer);
    }
  };
  for (const path of ['/ready', '/health/ready']) {
    server.get(path, quiet, async (_request, reply) => {
      const status = await stateNow();
      return reply
        .code(status === 'ready' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status, detail: readiness[status] });
    });
  }

  server.get('/metrics', quiet, async (request, reply) => {
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
/** Headers of a proxy. A proxy on this machine connects from this machine, too, but for somebody else. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];
/** The host of a request from this machine. A page in a browser of this machine may use another name (DNS rebinding). */
const ownName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return (
    loopback.test(socket.remoteAddress ?? '') &&
    ownName.test(headers.host ?? '') &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}
