/** The HTTP server with everything that listens on its port: calls, sockets, call-backs, the operators' API and the widget. */
import type { Clock } from '@opencashier/core/time/clock';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  fastify,
  LogController,
} from 'fastify';
import type { Redis } from 'ioredis';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { CallHandler } from '../calls/handler/call.ts';
import type { Services } from '../calls/handler/services.ts';
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { ApiError, apiErrorOf, errorAnswer } from '../dispatch/api-error.ts';
import { createDispatch, levelOf } from '../dispatch/dispatch.ts';
import { createDraining, type Draining } from '../dispatch/draining.ts';
import { DomainError } from '../errors/domain-error.ts';
import { registerHostDoctor } from '../host-doctor/host-doctor.ts';
import {
  type ConnectionCounts,
  type ConnectionLimits,
  connectionCounts,
  limitConnections,
  type RequestTimes,
  requestTimes,
} from '../http/connection-limits.ts';
import { bodyLimitBytes, newRequestId, registerHttpCalls, sendOutcome } from '../http/http.ts';
import { createOriginCheck } from '../http/origin-check.ts';
import { registerProviderCallbacks } from '../http/provider-callbacks.ts';
import { registerReturnPage } from '../http/return-page.ts';
import { registerWidgetPages } from '../http/widget-pages.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import { registerProbes } from '../observability/probes.ts';
import type { Spans } from '../observability/spans.ts';
import type { MoneyDecisions } from '../operator-api/money/money-handlers.ts';
import { registerOperatorApi } from '../operator-api/operator-api.ts';
import type { Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import { answerHeaders } from '../pages/content-security-policy.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import { unstorableFailure } from '../requests/invalid-request.ts';
import { attachSocket, type SocketTransport } from '../socket/socket.ts';

export interface ServerParts {
  readonly services: Services;
  readonly handlers: ReadonlyMap<string, CallHandler>;
  readonly callbacks: Pick<PaymentsEngine, 'receiveCallback'>;
  /** What people of the operators decide about payments; absent: nothing. */
  readonly decisions?: MoneyDecisions | undefined;
  /** What operators set up for themselves; absent: nothing. */
  readonly shippedCatalogue?: ShippedCatalogue | undefined;
  readonly operators: Operators;
  readonly tokens: UserTokens;
  readonly bonuses?: Bonuses | undefined;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redis?: Redis | undefined;
  /** Pages of providers, such as the sandbox's. */
  readonly plugins: readonly FastifyPluginAsync[];
  readonly publicUrl: string;
  readonly product: string;
  readonly widgetDir: string;
  readonly isDebugAllowed: boolean;
  /** How many proxies stand before the server, whose words on the caller's address are believed. */
  readonly trustedProxies: number;
  /** Absent: the server is closed without a warning. */
  readonly draining?: Draining | undefined;
  /** Absent: {@link connectionCounts}. */
  readonly connectionCounts?: ConnectionCounts | undefined;
  /** Absent: {@link requestTimes}. */
  readonly connectionTimes?: RequestTimes | undefined;
  readonly videoOrigins?: readonly string[];
  readonly metricsToken?: string | undefined;
  /** Absent: no traces. */
  readonly spans?: Spans | undefined;
}

export interface CashierServer {
  readonly server: FastifyInstance;
  readonly socket: SocketTransport;
  readonly connections: ConnectionLimits;
}

/** Assembles the server; it does not listen yet. */
export function createServer(parts: ServerParts): CashierServer {
  const { services, operators, tokens, clock, logger, publicUrl, product } = parts;
  const { metrics } = services;
  const now = () => clock.now();
  const { connectionTimes: times = requestTimes, connectionCounts: counts = connectionCounts, trustedProxies } = parts;
  const { draining = createDraining() } = parts;
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Our own line is written below: the framework's would carry addresses.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    // Counted and never `true`: a caller may write whatever it likes before what the proxies add.
    trustProxy: trustedProxies > 0 && ((_address, hop) => hop < trustedProxies),
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // What comes on a connection that is still open is answered as ever.
    return503OnClosing: false,
    http: { headersTimeout: times.headMs, connectionsCheckingInterval: times.checkEveryMs },
    requestTimeout: times.requestMs,
    connectionTimeout: times.stillMs,
    // An address that cannot be decoded is refused before any route, so also before the error handler.
    frameworkErrors: (error, request, reply) => sendOutcome(reply, errorAnswer(ownWords(error), request.id), now()),
  });

  server.decorateRequest('operatorId', undefined);
  const everyAnswer = answerHeaders(publicUrl);
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(everyAnswer);
  });
  const connections = limitConnections(server.server, { counts, trustedProxies, clock });
  if (trustedProxies > 0) limitRequests(server, connections);
  // An id that no database can hold is refused on every page and route alike; calls do so by themselves, and name the field.
  server.addHook('preValidation', async ({ params, query, routeOptions }) => {
    if (routeOptions.config.call !== undefined) return;
    const failure = unstorableFailure(params) ?? unstorableFailure(query);
    // A page with an error handler of its own reads the status of an ApiError.
    if (failure !== undefined) throw apiErrorOf(failure);
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = errorAnswer(ownWords(error), request.id);
    if (failure.status >= 500) {
      logger[levelOf(failure.error.code)]({ err: error, reference: request.id }, 'request failed');
    }
    return sendOutcome(reply, failure, now());
  });
  server.setNotFoundHandler((request, reply) => {
    return sendOutcome(reply, errorAnswer(new ApiError('not-found', 'There is nothing here.'), request.id), now());
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', async (request, reply) => {
    logger.info(
      {
        requestId: request.id,
        method: request.method,
        // The route, not the address: an address may name a user or a payment.
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.routeOptions.config.call !== undefined && { call: request.routeOptions.config.call }),
        ...(request.operatorId !== undefined && { operator: request.operatorId }),
      },
      'request',
    );
  });

  const { handlers, limiter, spans } = parts;
  const dispatch = createDispatch({ services, handlers, limiter, metrics, logger, draining, spans });
  const isOriginAllowed = createOriginCheck(publicUrl, operators);
  registerProbes(server, {
    metrics,
    isDraining: draining.isDraining,
    ping: () => services.database.ping(),
    metricsToken: parts.metricsToken,
  });
  registerHttpCalls(server, { dispatch, identify: tokens.identify, isOriginAllowed, now });
  registerOperatorApi(server, {
    operators,
    tokens,
    database: services.database,
    dataKeys: services.dataKeys,
    bonuses: parts.bonuses,
    payments: parts.decisions,
    catalogue: parts.shippedCatalogue && { shipped: parts.shippedCatalogue, catalogue: services.catalogue },
    limiter: parts.limiter,
    spans,
  });
  registerProviderCallbacks(server, { payments: parts.callbacks, limiter, clock });
  registerHostDoctor(server, { operators, tokens, limiter, publicUrl, product });
  registerReturnPage(server, publicUrl, product);
  registerWidgetPages(server, {
    folder: parts.widgetDir,
    product,
    publicUrl,
    isDebugAllowed: parts.isDebugAllowed,
    operators,
    ...(parts.videoOrigins && { videoOrigins: parts.videoOrigins }),
  });
  server.get('/', (_request, reply) => reply.redirect(`/${product}/`, 302));
  for (const plugin of parts.plugins) void server.register(plugin);

  const socket = attachSocket(server.server, {
    dispatch,
    identify: tokens.identify,
    isOriginAllowed,
    limiter: parts.limiter,
    trustedProxies,
    connections,
    clock,
    metrics,
    logger,
    redis: parts.redis,
  });
  // Open sockets would keep the server from ever closing.
  server.addHook('preClose', () => socket.drain());
  return { server, socket, connections };
}

/** Behind proxies, which keep connections of their own, the requests of an address that are under way are its connections. */
function limitRequests(server: FastifyInstance, connections: ConnectionLimits): void {
  server.addHook('onRequest', async (request, reply) => {
    const leave = connections.take(request.ip);
    if (leave === undefined) {
      throw new ApiError('rate-limited', 'Too many requests at a time.', { retryAfterSeconds: 1 });
    }
    reply.raw.once('close', leave);
  });
}

/** What the framework refuses by itself, as the contract says it. */
function ownWords(error: FastifyError): Error {
  if (error instanceof ApiError || error instanceof DomainError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('request-too-large', 'The body is over the limit.', {}, { cause: error });
  }
  const { statusCode } = error;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    if (statusCode === 404) return new ApiError('not-found', 'There is nothing here.', {}, { cause: error });
    return new ApiError('invalid-request', 'The request cannot be read.', {}, { cause: error });
  }
  return error;
}
