/** `POST /providers/{name}/callbacks`: what providers tell us. Stored as it came and answered at once; read later. */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../dispatch/api-error.ts';
import { createCallbackLimits } from '../limits/callback-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';

const bodyLimitBytes = 256 * 1024;
const statusOf = { accepted: 202, rejected: 401, 'unknown-provider': 404 } as const;

interface ProviderCallbacksOptions {
  readonly payments: Pick<PaymentsEngine, 'receiveCallback'>;
  readonly limiter: RateLimiter;
  readonly clock: Pick<Clock, 'now'>;
}

export function registerProviderCallbacks(server: FastifyInstance, options: ProviderCallbacksOptions): void {
  const { payments, limiter, clock } = options;
  const limits = createCallbackLimits(limiter, clock);
  const comeAgain = (retryAfterSeconds: number) =>
    new ApiError('rate-limited', 'Too many call-backs. Send this one again.', { retryAfterSeconds });
  void server.register(async (scope) => {
    // The signature is over the bytes as they came, whatever their type is said to be.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) => {
      done(null, body);
    });
    scope.addHook('onRequest', async (request, reply) => {
      const wait = limits.waitAtDoor(request.ip);
      if (wait === 0) return;
      // What it still sends is not read either.
      reply.header('connection', 'close');
      throw comeAgain(wait);
    });
    scope.post<{ Params: { name: string } }>(
      '/providers/:name/callbacks',
      { bodyLimit: bodyLimitBytes },
      async ({ ip, headers, body, params: { name } }, reply) => {
        const callback = {
          headers: Object.fromEntries(
            Object.entries(headers).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : value]),
          ),
          rawBody: body instanceof Uint8Array ? body : new Uint8Array(),
          receivedAt: clock.now(),
        };
        const receipt = await payments.receiveCallback(name, callback, () => limits.takeSigned(name, ip));
        if (receipt.kind === 'over-limit') throw comeAgain(receipt.retryAfterSeconds);
        if (receipt.kind !== 'accepted') limits.noteUnsigned(ip);
        return reply.code(statusOf[receipt.kind]).header('cache-control', 'no-store').send();
      },
    );
  });
}
