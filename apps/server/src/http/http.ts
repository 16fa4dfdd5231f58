/** Calls over HTTP (NET-2): a route per call of the contract, made from the contract. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { calls, extraParamsHeader, httpPathOf, parseExtraParams } from '@opencashier/contract/api';
import { documentationAddress } from '@opencashier/contract/documentation';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { joinedBytes } from '../dispatch/answer-json.ts';
import { ApiError, errorAnswer, withErrorPage } from '../dispatch/api-error.ts';
import { CallAbort } from '../dispatch/call-abort.ts';
import type { Dispatch, Outcome } from '../dispatch/dispatch.ts';
import { bearerOf, type Identify, type Identity } from '../operators/identity.ts';
import type { OriginCheck } from './origin-check.ts';

export interface HttpCallsOptions {
  readonly dispatch: Dispatch;
  readonly identify: Identify;
  readonly isOriginAllowed: OriginCheck;
  readonly now: () => number;
}

export const bodyLimitBytes = 64 * 1024;
/** `retry-after` of a 503 that names no time of its own. */
const defaultWaitSeconds = 5;

/** The context of a request without one. */
const noParams = parseExtraParams(undefined);

/** Methods that a route refuses. A route for GET answers HEAD too: the framework adds it. */
const otherMethods: Readonly<Record<'GET' | 'POST', HTTPMethods[]>> = {
  GET: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  POST: ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
};

/** Twelve random characters: short enough to read out to support, long enough to find one line in the logs. */
export function newRequestId(): string {
  return randomUUID().slice(24);
}

export function registerHttpCalls(server: FastifyInstance, options: HttpCallsOptions): void {
  const { dispatch, identify, isOriginAllowed, now } = options;

  for (const call of Object.values(calls)) {
    const url = httpPathOf(call);
    // A function of its own for each route keeps the shared code monomorphic: this is the hot path.
    server.route({
      method: call.method,
      url,
      config: { call: call.name },
      handler: async (request, reply) => {
        // A call that creates something goes on when its caller disconnects: a repeat finds its answer by the key.
        const isReading = call.idempotency.kind === 'read';
        const abort = new CallAbort(isReading ? (reading) => abortWithCaller(reading, reply.raw) : undefined);
        const identity = await identify(bearerOf(request.headers.authorization));
        noteOperator(request, identity);
        const params = headerText(request.headers[extraParamsHeader]);
        const context = params === undefined ? noParams : parseExtraParams(params);
        const { origin, host } = request.headers;
        if (origin !== undefined && !(await isOriginAllowed({ origin, host, identity, context }))) {
          return sendOutcome(reply, forbiddenOrigin(request.id), now());
        }
        const outcome = await dispatch({
          transport: 'http',
          name: call.name,
          request: call.method === 'GET' ? request.query : request.body,
          identity,
          context,
          address: request.ip,
          requestId: request.id,
          abort,
        });
        return sendOutcome(reply, outcome, now());
      },
    });
    server.route({
      method: otherMethods[call.method],
      url,
      handler: async (request, reply) => {
        const failure = new ApiError('method-not-allowed', `Use ${call.method} for this call.`);
        return sendOutcome(
          reply.header('allow', call.method === 'GET' ? 'GET, HEAD' : call.method),
          errorAnswer(failure, request.id),
          now(),
        );
      },
    });
  }
}

/** Aborts when the caller disconnects before the answer, or has already done so. */
function abortWithCaller(abort: CallAbort, answer: ServerResponse): void {
  const leave = (): void => {
    if (!answer.writableFinished) abort.abort(new Error('The caller went away.'));
  };
  if (answer.closed) leave();
  else answer.once('close', leave);
}

export function forbiddenOrigin(requestId: string): Outcome {
  return errorAnswer(
    new ApiError('forbidden-origin', 'This origin is not registered. Add it with `opencashier add-origin`.'),
    requestId,
  );
}

/** Sends data, or `{error}` with the status of its code (ERR-1). No cache may store it. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome, serverTime: number): FastifyReply {
  reply.code(outcome.status).header('cache-control', 'no-store').header('x-server-time', String(serverTime));
  if (!('error' in outcome)) return sendData(reply, outcome.data);
  const wait = outcome.error.retryAfterSeconds ?? (outcome.status === 503 ? defaultWaitSeconds : undefined);
  if (wait !== undefined) reply.header('retry-after', String(wait));
  return reply.send({ error: withErrorPage(outcome, reply.server.documentation ?? documentationAddress) });
}

function sendData(reply: FastifyReply, data: unknown): FastifyReply {
  const joined = joinedBytes(data, /\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? ''));
  if (joined === undefined) return reply.send(data);
  if (joined.isGzip) reply.header('content-encoding', 'gzip');
  return reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8').send(joined.body);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** For the log line of the request. */
function noteOperator(request: FastifyRequest, identity: Identity): void {
  if (identity.kind === 'user') request.operatorId = identity.caller.operatorId;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Where error answers link to. Absent: the published documentation. */
    documentation?: string;
  }
  interface FastifyRequest {
    /** The operator that the request's token or key belongs to; for the log. */
    operatorId: string | undefined;
    /** The API key that sent the request; for the history. */
    keyId: string | undefined;
  }
  interface FastifyContextConfig {
    /** The call that the route answers; for the log. */
    call?: string;
    /** Machines ask it all the time, so its good answers are logged at `debug`. */
    isProbe?: boolean;
  }
}
