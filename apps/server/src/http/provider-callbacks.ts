/**
 * `POST /providers/{name}/callbacks` and `POST /providers/{name}/{connection}/callbacks`: callbacks of providers. They are stored unread
 * and answered at once.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../database/uuid.ts';
import { ApiError } from '../dispatch/api-error.ts';
import { createCallbackLimits } from '../limits/callback-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { sourceOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import type { CallbackReceipt } from '../reconciliation/callback-inbox.ts';

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
  const tooMany = (retryAfterSeconds: number) =>
    new ApiError('rate-limited', 'Too many callbacks. Send this one again.', { retryAfterSeconds });
  void server.register(async (scope) => {
    // The signature covers the raw bytes, so the content type does not matter.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) => {
      done(null, body);
    });
    scope.addHook('onRequest', async (request, reply) => {
      const wait = limits.secondsRefused(request.ip);
      if (wait === 0) return;
      // The server does not read the rest of the body.
      reply.header('connection', 'close');
      throw tooMany(wait);
    });
    for (const path of ['/providers/:name/callbacks', '/providers/:name/:connection/callbacks']) {
      scope.post<{ Params: { name: string; connection?: string } }>(
        path,
        { bodyLimit: bodyLimitBytes },
        async ({ ip, headers, body, params: { name, connection } }, reply) => {
          // No connection has another form of id, and the database would refuse it.
          const isKnownForm = connection === undefined || isUuid(connection);
          const source = sourceOf(name, connection?.toLowerCase());
          const callback = {
            headers: Object.fromEntries(
              Object.entries(headers).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : value]),
            ),
            rawBody: body instanceof Uint8Array ? body : new Uint8Array(),
            receivedAt: clock.now(),
          };
          const receipt: CallbackReceipt = isKnownForm
            ? await payments.receiveCallback(source, callback, () => limits.takeSigned(source, ip))
            : { kind: 'unknown-provider' };
          if (receipt.kind === 'over-limit') throw tooMany(receipt.retryAfterSeconds);
          if (receipt.kind === 'unavailable') {
            const { retryAfterSeconds } = receipt;
            throw new ApiError('temporarily-unavailable', 'Send this callback again.', { retryAfterSeconds });
          }
          if (receipt.kind !== 'accepted') limits.noteUnsigned(ip);
          return reply.code(statusOf[receipt.kind]).header('cache-control', 'no-store').send();
        },
      );
    }
  });
}
