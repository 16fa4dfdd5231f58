/** A route that takes reports without a token, such as beacons of browsers. Reports are limited and checked; the answer is empty. */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { ApiError, errorAnswer } from '../dispatch/api-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { sendOutcome } from './http.ts';

interface PublicReportsOptions<Report> {
  readonly path: string;
  readonly bodyLimitBytes: number;
  /** The most requests of one address, counted under `name`. */
  readonly perMinute: number;
  readonly name: string;
  readonly schema: v.GenericSchema<unknown, Report>;
  readonly limiter: Pick<RateLimiter, 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Why a request is refused before it is counted. */
  readonly refusal?: (request: FastifyRequest) => ApiError | undefined;
  readonly take: (report: Report, request: FastifyRequest) => Promise<void> | void;
}

export function publicReports<Report>(options: PublicReportsOptions<Report>): FastifyPluginAsync {
  const { path, bodyLimitBytes: bodyLimit, perMinute, name, schema, limiter, clock, refusal, take } = options;
  return async (app) => {
    app.removeAllContentTypeParsers();
    // Browsers send several content types: `text/plain` for a beacon, and two types of their own for reports of a policy.
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));
    app.post(path, { bodyLimit }, async (request, reply) => {
      const refuse = (failure: Error) => sendOutcome(reply, errorAnswer(failure, request.id), clock.now());
      const reason = refusal?.(request);
      if (reason !== undefined) return refuse(reason);
      const wait = await limiter.take(`${name} ${request.ip}`, perMinute, minuteMs);
      if (wait > 0) return refuse(new ApiError('rate-limited', 'Too many reports.', { retryAfterSeconds: wait }));
      const parsed = v.safeParse(schema, readJson(request.body));
      if (!parsed.success) return refuse(invalidRequest(parsed.issues));
      await take(parsed.output, request);
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
