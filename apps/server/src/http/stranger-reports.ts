/** A place where anybody may leave a report, such as a browser that sends a beacon: bounded, checked, answered without a word. */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { ApiError, errorAnswer } from '../dispatch/api-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { sendOutcome } from './http.ts';

interface StrangerReportsOptions<Report> {
  readonly path: string;
  readonly bodyLimitBytes: number;
  /** Of one address, counted under `name`. */
  readonly perMinute: number;
  readonly name: string;
  readonly schema: v.GenericSchema<unknown, Report>;
  readonly limiter: Pick<RateLimiter, 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Why nothing of a request is taken, before it is counted. */
  readonly refusal?: (request: FastifyRequest) => ApiError | undefined;
  readonly take: (report: Report, request: FastifyRequest) => Promise<void> | void;
}

export function strangerReports<Report>(options: StrangerReportsOptions<Report>): FastifyPluginAsync {
  const { path, bodyLimitBytes: bodyLimit, perMinute, name, schema, limiter, clock, refusal, take } = options;
  return async (app) => {
    app.removeAllContentTypeParsers();
    // Browsers name several types for one thing: a beacon of text is `text/plain`, a report of a policy has two of its own.
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
