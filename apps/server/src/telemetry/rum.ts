/**
 * Real-user monitoring (NET-8): `POST /{product}/rum` takes what one visit felt like, as `navigator.sendBeacon` sends it while
 * the page goes away. Answers 204, without a word.
 */
import { rumBeaconSchema } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import * as v from 'valibot';
import { CallFailure } from '../calls/call.ts';
import type { Operators } from '../operators/operators.ts';
import { failureOf } from '../transports/dispatch.ts';
import { sendOutcome } from '../transports/http.ts';
import { invalidRequest } from '../transports/invalid-request.ts';
import { isOwnOrigin } from '../transports/origin-check.ts';
import type { RateLimiter } from '../transports/rate-limiter.ts';
import type { Telemetry } from './telemetry.ts';

export interface RumOptions {
  readonly product: string;
  readonly publicUrl: string;
  readonly operators: Pick<Operators, 'byPartnerKey'>;
  readonly telemetry: Telemetry;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

const bodyLimitBytes = 32 * 1024;
export const rumPerMinute = 30;
const minuteMs = 60_000;

export function rum({ product, publicUrl, operators, telemetry, limiter, clock }: RumOptions): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    // A beacon of text is of the type text/plain: one parser for whatever a page may send.
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.post(`/${product}/rum`, { bodyLimit: bodyLimitBytes }, async (request, reply) => {
      const refuse = (failure: CallFailure) => sendOutcome(reply, failureOf(failure, request.id), clock.now());
      const { origin, host } = request.headers;
      if (origin !== undefined && !isOwnOrigin(origin, publicUrl, host)) {
        return refuse(new CallFailure('forbidden-origin', 'Only the widget’s own page reports.'));
      }
      const wait = await limiter.take(`rum ${request.ip}`, rumPerMinute, minuteMs);
      if (wait > 0) return refuse(new CallFailure('rate-limited', 'Too many reports.', { retryAfterSeconds: wait }));
      const parsed = v.safeParse(rumBeaconSchema, readJson(request.body));
      if (!parsed.success) return refuse(invalidRequest(parsed.issues));
      const { partner, ...visit } = parsed.output;
      await telemetry.takeVisit(operators.byPartnerKey(partner)?.id, visit);
      return reply.code(204).header('cache-control', 'no-store').send();
    });
  };
}

function readJson(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
