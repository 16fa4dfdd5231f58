/** `/health`, `/ready` and `/metrics` (SRV-9). */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

export interface ProbeOptions {
  readonly metrics: Metrics;
  /** Rejects or never answers while the database is away. */
  ping(): Promise<void>;
  /** Who may read the metrics from elsewhere than this machine; without it nobody may. */
  readonly metricsToken?: string | undefined;
}

const pingWithinMs = 2000;

/** `/health`: the process answers. `/ready`: it can also reach its database, else 503. */
export function registerProbes(server: FastifyInstance, options: ProbeOptions): void {
  server.get('/health', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  const ready = async () => {
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        options.ping(),
        new Promise((_resolve, reject) => {
          timer = setTimeout(() => reject(new Error('The database does not answer.')), pingWithinMs);
        }),
      ]);
      return true;
    } catch (error) {
      server.log.warn({ err: error }, 'not ready');
      return false;
    } finally {
      clearTimeout(timer);
    }
  };
  for (const path of ['/ready', '/health/ready']) {
    server.get(path, async (_request, reply) => {
      const isReady = await ready();
      return reply
        .code(isReady ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: isReady ? 'ready' : 'database-unavailable' });
    });
  }

  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken)) return reply.callNotFound();
    const { contentType, text } = await options.metrics.read();
    return reply.header('content-type', contentType).header('cache-control', 'no-store').send(text);
  });
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = Buffer.from(request.headers.authorization ?? '');
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  // A proxy on this machine also comes from the loopback address, but it says for whom.
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  const { remoteAddress } = request.socket;
  return (
    !isForwarded && (remoteAddress === '127.0.0.1' || remoteAddress === '::1' || remoteAddress === '::ffff:127.0.0.1')
  );
}
