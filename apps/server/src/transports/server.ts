/** The HTTP server with everything that listens on its port: calls, sockets, callbacks, the operators' API and the widget. */
import { documentationAddress } from '@opencashier/contract/documentation';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Redis } from 'ioredis';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { CallHandler } from '../calls/handler/call.ts';
import type { Services } from '../calls/handler/services.ts';
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { createDraining, type Draining } from '../dispatch/draining.ts';
import { registerHostDoctor } from '../host-doctor/host-doctor.ts';
import {
  type ConnectionCounts,
  type ConnectionLimits,
  connectionCounts,
  limitConnections,
  type RequestTimes,
  requestTimes,
} from '../http/connection-limits.ts';
import { registerHttpCalls } from '../http/http.ts';
import { createOriginCheck } from '../http/origin-check.ts';
import { registerProviderCallbacks } from '../http/provider-callbacks.ts';
import { registerReturnPage } from '../http/return-page.ts';
import { hasBuild } from '../http/widget-page.ts';
import { registerWidgetPages } from '../http/widget-pages.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import { registerProbes } from '../observability/probes.ts';
import type { Spans } from '../observability/spans.ts';
import type { OperatorConnections } from '../operator-api/connections/connection-handlers.ts';
import type { MoneyDecisions } from '../operator-api/money/money-handlers.ts';
import { registerOperatorApi } from '../operator-api/operator-api.ts';
import type { OperatorRoutes } from '../operator-api/routes/route-handlers.ts';
import type { SandboxTools } from '../operator-api/sandbox/sandbox-handlers.ts';
import type { Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import type { FollowedTexts } from '../own-texts/followed-texts.ts';
import { createServedTexts } from '../own-texts/served-texts.ts';
import type { ReadWidgetTexts } from '../own-texts/widget-texts.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import { attachSocket, type SocketTransport } from '../socket/socket.ts';
import { createHttpServer, limitRequests } from './http-server.ts';

export interface ServerParts {
  readonly services: Services;
  readonly handlers: ReadonlyMap<string, CallHandler>;
  readonly callbacks: Pick<PaymentsEngine, 'receiveCallback'>;
  /** The decisions of operators' staff about payments. Absent: no such routes. */
  readonly decisions?: MoneyDecisions | undefined;
  /** The catalogue that operators may change for themselves. Absent: no such routes. */
  readonly shippedCatalogue?: ShippedCatalogue | undefined;
  /** Operators' own texts of the widget. Absent: no operator has its own, and there are no such routes. */
  readonly ownTexts?: { readonly followed: FollowedTexts; readonly readWidget: ReadWidgetTexts } | undefined;
  /** Operators' own accounts at providers. Absent: no such routes. */
  readonly providerConnections?: OperatorConnections | undefined;
  /** Operators' routes. Absent: no such routes of the API. */
  readonly operatorRoutes?: OperatorRoutes | undefined;
  /** Payouts of coins that people sign as files. Absent: no such routes. */
  readonly coinSignatures?: CoinSignatures | undefined;
  readonly operators: Operators;
  readonly tokens: UserTokens;
  readonly bonuses: Bonuses;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redis?: Redis | undefined;
  /** Pages of providers, such as the sandbox's. */
  readonly plugins: readonly FastifyPluginAsync[];
  readonly publicUrl: string;
  /** The address of the documentation, without a slash at its end. Absent: the published one. */
  readonly documentation?: string | undefined;
  readonly product: string;
  readonly widgetDir: string;
  readonly isDebugAllowed: boolean;
  /** Whether webhooks may go to private addresses, as in the sandbox. Absent: no. */
  readonly allowInsideWebhooks?: boolean | undefined;
  /** What the operator API offers in the sandbox alone. Absent: no such routes. */
  readonly sandboxTools?: SandboxTools | undefined;
  /** How many proxies stand before the server. The server trusts what they say about the caller's address. */
  readonly trustedProxies: number;
  /** Absent: the server closes without reporting "not ready" first. */
  readonly draining?: Draining | undefined;
  /** Absent: {@link connectionCounts}. */
  readonly connectionCounts?: ConnectionCounts | undefined;
  /** Absent: {@link requestTimes}. */
  readonly connectionTimes?: RequestTimes | undefined;
  readonly videoOrigins?: readonly string[];
  readonly metricsToken?: string | undefined;
  /** Whether the tables have partitions for the next 10 minutes. Absent: always true. */
  readonly hasPartitions?: (() => boolean) | undefined;
  /** For tests of crashes. */
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
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
  const { services, operators, tokens, clock, logger, limiter, publicUrl, trustedProxies } = parts;
  const { metrics } = services;
  const { connectionTimes: times = requestTimes, connectionCounts: counts = connectionCounts } = parts;
  const { draining = createDraining(), documentation = documentationAddress } = parts;
  const now = () => clock.now();
  const server = createHttpServer({ publicUrl, documentation, logger, times, draining, trustedProxies, now });
  const connections = limitConnections(server.server, { counts, trustedProxies, clock });
  if (trustedProxies > 0) limitRequests(server, connections);

  const { handlers, spans } = parts;
  const dispatch = createDispatch({ services, handlers, limiter, metrics, logger, draining, spans });
  const isOriginAllowed = createOriginCheck(publicUrl, operators);
  registerProbes(server, {
    metrics,
    isDraining: draining.isDraining,
    ping: () => services.database.ping(),
    metricsToken: parts.metricsToken,
    hasPartitions: parts.hasPartitions,
    hasWidget: () => hasBuild(parts.widgetDir),
  });
  registerHttpCalls(server, { dispatch, identify: tokens.identify, isOriginAllowed, now });
  registerBackendRoutes(server, parts);
  registerPages(server, parts);

  const socket = attachSocket(server.server, {
    dispatch,
    identify: tokens.identify,
    isOriginAllowed,
    operatorOf: (partnerKey) => operators.byPartnerKey(partnerKey)?.id,
    limiter,
    trustedProxies,
    documentation,
    connections,
    clock,
    metrics,
    logger,
    redis: parts.redis,
  });
  // The server cannot close while sockets are open.
  server.addHook('preClose', () => socket.drain());
  return { server, socket, connections };
}

/** The routes that other servers call: operators' backends and providers. */
function registerBackendRoutes(server: FastifyInstance, parts: ServerParts): void {
  const { services, operators, tokens, limiter, clock } = parts;
  registerOperatorApi(server, {
    operators,
    tokens,
    database: services.database,
    dataKeys: services.dataKeys,
    coinSignatures: parts.coinSignatures,
    failpoint: parts.failpoint,
    bonuses: parts.bonuses,
    payments: parts.decisions,
    catalogue: parts.shippedCatalogue && { shipped: parts.shippedCatalogue, catalogue: services.catalogue },
    texts: parts.ownTexts && { readWidget: parts.ownTexts.readWidget, texts: parts.ownTexts.followed },
    connections: parts.providerConnections,
    routes: parts.operatorRoutes,
    allowInsideWebhooks: parts.allowInsideWebhooks,
    sandbox: parts.sandboxTools,
    limiter,
    spans: parts.spans,
  });
  registerProviderCallbacks(server, { payments: parts.callbacks, limiter, clock });
}

/** The pages that a browser shows. Pages of providers come last. */
function registerPages(server: FastifyInstance, parts: ServerParts): void {
  const { operators, tokens, limiter, publicUrl, product } = parts;
  registerHostDoctor(server, { operators, tokens, limiter, publicUrl, product });
  registerReturnPage(server, publicUrl, product);
  registerWidgetPages(server, {
    folder: parts.widgetDir,
    product,
    publicUrl,
    isDebugAllowed: parts.isDebugAllowed,
    operators,
    catalogue: parts.services.catalogue,
    ...(parts.ownTexts && { texts: createServedTexts(parts.ownTexts.followed, parts.ownTexts.readWidget) }),
    limiter,
    logger: parts.logger,
    ...(parts.videoOrigins && { videoOrigins: parts.videoOrigins }),
  });
  server.get('/', (_request, reply) => reply.redirect(`/${product}/`, 302));
  for (const plugin of parts.plugins) void server.register(plugin);
}
