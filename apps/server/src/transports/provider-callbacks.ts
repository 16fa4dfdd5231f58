/** `POST /providers/{name}/callbacks`: what providers tell us. Stored as it came and answered at once; read later. */
import type { FastifyInstance } from 'fastify';
import type { PaymentsEngine } from '../payments/payments-engine.ts';

const bodyLimitBytes = 256 * 1024;
const statusOf = { accepted: 202, rejected: 401, 'unknown-provider': 404 } as const;

export function registerProviderCallbacks(
  server: FastifyInstance,
  payments: Pick<PaymentsEngine, 'receiveCallback'>,
  now: () => number,
): void {
  void server.register(async (scope) => {
    // The signature is over the bytes as they came, whatever their type is said to be.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) => {
      done(null, body);
    });
    scope.post<{ Params: { name: string } }>(
      '/providers/:name/callbacks',
      { bodyLimit: bodyLimitBytes },
      async (request, reply) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ]),
        );
        const rawBody = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const receipt = await payments.receiveCallback(request.params.name, { headers, rawBody, receivedAt: now() });
        return reply.code(statusOf[receipt.kind]).header('cache-control', 'no-store').send();
      },
    );
  });
}
