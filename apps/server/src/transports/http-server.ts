/** The HTTP server of Fastify with our limits, headers, errors and log lines, before anything is registered on it. */
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { ApiError, apiErrorOf, errorAnswer } from '../dispatch/api-error.ts';
import { levelOf } from '../dispatch/dispatch.ts';
import type { Draining } from '../dispatch/draining.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { ConnectionLimits, RequestTimes } from '../http/connection-limits.ts';
import { bodyLimitBytes, newRequestId, sendOutcome } from '../http/http.ts';
import type { Logger } from '../observability/logger.ts';
import { answerHeaders } from '../pages/content-security-policy.ts';
import { unstorableFailure } from '../requests/invalid-request.ts';

export interface HttpServerOptions {
  readonly publicUrl: string;
  /** The address of the documentation that error answers link to. */
  readonly documentation: string;
  readonly logger: Logger;
  readonly times: RequestTimes;
  readonly draining: Draining;
  /** How many proxies stand before the server. The server trusts what they say about the caller's address. */
  readonly trustedProxies: number;
  /** ms since 1970. */
  readonly now: () => number;
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { publicUrl, documentation, logger, times, draining, trustedProxies, now } = options;
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // The line of the framework would carry addresses, so the server writes its own below.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost as much as its headers. Our lines name their request themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit: bodyLimitBytes,
    // A number of hops and never `true`: a caller may write anything before the addresses that the proxies add.
    trustProxy: trustedProxies > 0 && ((_address, hop) => hop < trustedProxies),
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: refuseUnreadable,
    forceCloseConnections: 'idle',
    // A stopping server still answers requests on connections that are open.
    return503OnClosing: false,
    http: { headersTimeout: times.headMs, connectionsCheckingInterval: times.checkEveryMs },
    requestTimeout: times.requestMs,
    connectionTimeout: times.stillMs,
    // An address that cannot be decoded is refused before any route, so also before the error handler.
    frameworkErrors: (error, request, reply) => sendOutcome(reply, errorAnswer(inOurWords(error), request.id), now()),
  });

  server.decorate('documentation', documentation);
  server.decorateRequest('operatorId', undefined);
  server.decorateRequest('keyId', undefined);
  const headers = answerHeaders(publicUrl);
  // Hooks of every request call `done`: a promise for each of them would cost more than their work.
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  refuseUnstorableText(server);
  answerErrors(server, logger, now);
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const isQuiet = request.routeOptions.config.isProbe === true && reply.statusCode < 400;
    const level = isQuiet ? 'debug' : 'info';
    if (logger.isLevelEnabled(level)) {
      logger[level](requestLine(request, reply.statusCode, reply.elapsedTime), 'request');
    }
    done();
  });
  return server;
}

/**
 * Limits the requests in progress of an address. Its connections cannot be counted behind a proxy, which keeps its own.
 * @throws ApiError `rate-limited` when the address has too many
 */
export function limitRequests(server: FastifyInstance, connections: ConnectionLimits): void {
  server.addHook('onRequest', (request, reply, done) => {
    const leave = connections.take(request.ip);
    if (leave === undefined) {
      done(
        new ApiError('rate-limited', 'Too many requests at the same time. Try again in a second.', {
          retryAfterSeconds: 1,
        }),
      );
      return;
    }
    reply.raw.once('close', leave);
    done();
  });
}

/**
 * Answers what is no request, or one with too long headers. The framework's own answer does not say that the connection ends with it, so a
 * client could send its next request on a closed connection.
 */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const [statusCode, label] = unreadable[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = JSON.stringify({ error: label, message: 'Client Error', statusCode });
  socket.end(
    `HTTP/1.1 ${statusCode} ${label}\r\nConnection: close\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
  );
}

const unreadable: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
};

/** Refuses an id that no database can hold, on every page and route. Calls refuse it by themselves, and name the field. */
function refuseUnstorableText(server: FastifyInstance): void {
  server.addHook('preValidation', ({ params, query, routeOptions }, _reply, done) => {
    if (routeOptions.config.call !== undefined) return done();
    const failure = unstorableFailure(params) ?? unstorableFailure(query);
    // A page with an error handler of its own reads the status of an ApiError.
    return failure === undefined ? done() : done(apiErrorOf(failure));
  });
}

function answerErrors(server: FastifyInstance, logger: Logger, now: () => number): void {
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = errorAnswer(inOurWords(error), request.id);
    if (failure.status >= 500) {
      logger[levelOf(failure.error.code)]({ err: error, reference: request.id }, 'request failed');
    }
    return sendOutcome(reply, failure, now());
  });
  server.setNotFoundHandler((request, reply) => {
    return sendOutcome(
      reply,
      errorAnswer(new ApiError('not-found', 'Nothing exists at this address. Check the path.'), request.id),
      now(),
    );
  });
}

/** @param elapsedMs how long the answer took */
function requestLine(
  { id, method, routeOptions, operatorId }: FastifyRequest,
  status: number,
  elapsedMs: number,
): object {
  const { call } = routeOptions.config;
  return {
    requestId: id,
    method,
    // The route, not the address: an address may name a user or a payment.
    route: routeOptions.url ?? 'none',
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    ...(call !== undefined && { call }),
    ...(operatorId !== undefined && { operator: operatorId }),
  };
}

/** Errors of the framework as errors of the contract. */
function inOurWords(error: FastifyError): Error {
  if (error instanceof ApiError || error instanceof DomainError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('request-too-large', 'The request body is larger than the limit.', {}, { cause: error });
  }
  const { statusCode } = error;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    if (statusCode === 404)
      return new ApiError('not-found', 'Nothing exists at this address. Check the path.', {}, { cause: error });
    return new ApiError(
      'invalid-request',
      'The request could not be read. Check the body and its content type.',
      {},
      { cause: error },
    );
  }
  return error;
}
