/** A server that really listens, with payments in memory, and clients of both transports with the same interface. */

import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type Acknowledgement,
  type CallContext,
  type CallDefinition,
  callContextSchema,
  extraParamsHeader,
  formatExtraParams,
  httpPathOf,
  socketEventOf,
  socketPath,
} from '@opencashier/contract/api';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { io, type Socket } from 'socket.io-client';
import * as v from 'valibot';
import { createBonuses } from '../../bonuses/bonuses.ts';
import { createBounce } from '../../bounce/bounce.ts';
import type { CallHandler } from '../../calls/handler/call.ts';
import { handlers as allHandlers } from '../../calls/registry.ts';
import { bundledFiles } from '../../catalogue/bundled-files.ts';
import { createShippedCatalogue } from '../../catalogue/shipped-catalogue.fixture.ts';
import type { Database, Statement } from '../../database/database.ts';
import { createDraining, type Draining } from '../../dispatch/draining.ts';
import type { ConnectionCounts, RequestTimes } from '../../http/connection-limits.ts';
import { type RateLimiter, unlimited } from '../../limits/rate-limiter.ts';
import { createLogger } from '../../observability/logger.ts';
import { createMetrics, type Metrics } from '../../observability/metrics.ts';
import type { Operator, Operators } from '../../operators/operators.ts';
import { createUserTokens, type TokenUser, type UserTokens } from '../../operators/user-tokens.ts';
import { createOwnMood } from '../../rates/sandbox-mood.fixture.ts';
import { createSandboxRates } from '../../rates/sandbox-rates.ts';
import { createDataKeys } from '../../sealing/data-keys.ts';
import type { SocketTransport } from '../../socket/socket.ts';
import { createRedemptions } from '../../sweepstake/create-redemptions.ts';
import { createTelemetry } from '../../telemetry/telemetry.ts';
import { closeInTime } from '../close-in-time.ts';
import { createServer } from '../server.ts';
import { createFakePayments, type FakePayments } from './fake-payments.ts';
import { createFakeWithdrawals } from './fake-withdrawals.ts';

export const demo: Operator = {
  id: 'demo',
  partnerKey: 'demo',
  name: 'Demo',
  allowedOrigins: ['https://play.example'],
};
export const demoUser: TokenUser = { operatorId: 'demo', userId: 'u-1', currency: 'INR', country: 'IN' };
export const demoKey = 'sk_test_0123456789012345678901234567890123456789';

export const operatorsInMemory: Operators = {
  byId: (id) => (id === demo.id ? demo : undefined),
  byPartnerKey: (key) => (key === demo.partnerKey ? demo : undefined),
  bySecretKey: async (key) => (key === demoKey ? demo : undefined),
};

export interface RunningServer {
  readonly url: string;
  readonly clock: TestClock;
  readonly payments: FakePayments;
  readonly tokens: UserTokens;
  readonly metrics: Metrics;
  readonly socket: SocketTransport;
  /** The log, as lines of JSON. */
  readonly log: string[];
  readonly draining: Draining;
  /** Closes the server as a node does that was told to stop. */
  closeInTime(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningServerOptions {
  readonly limiter?: RateLimiter;
  readonly handlers?: ReadonlyMap<string, CallHandler>;
  readonly ping?: () => Promise<void>;
  readonly documentation?: string;
  readonly metricsToken?: string;
  readonly trustedProxies?: number;
  readonly connectionCounts?: ConnectionCounts;
  readonly connectionTimes?: RequestTimes;
}

export const widgetFixture = fileURLToPath(new URL('./widget-fixture', import.meta.url));

export async function startServer(options: RunningServerOptions = {}): Promise<RunningServer> {
  const clock = createTestClock();
  const payments = createFakePayments();
  const metrics = createMetrics();
  const log: string[] = [];
  const database: Database = {
    kind: 'embedded',
    // Every operator exists, and the cashier keeps its balances. No table has a row.
    query: async <Row>({ name }: Statement) => (name === 'wallet-mode-now' ? ([{ mode: 'cashier' }] as Row[]) : []),
    transaction: () => Promise.reject(new Error('no database here')),
    ping: options.ping ?? (async () => undefined),
    close: async () => undefined,
  };
  const publicUrl = 'https://cashier.example';
  const tokens = await createUserTokens(
    'a secret of at least thirty-two characters',
    publicUrl,
    operatorsInMemory,
    clock,
  );
  const rates = createSandboxRates(clock, { coinMs: 300_000, fiatMs: 86_400_000 }, createOwnMood());
  const draining = createDraining();
  const { server, socket, connections } = createServer({
    draining,
    services: {
      clock,
      database,
      dataKeys: createDataKeys(['a secret of tests']),
      catalogue: createShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox'),
      walletBalanceOf: async () => undefined,
      listStateOf: async () => ({
        main: 125_000n,
        additional: 0n,
        catalogueVersion: 0,
        lastDeposit: undefined,
        walletMode: 'cashier',
      }),
      limitsOf: () => undefined,
      payments,
      withdrawals: createFakeWithdrawals(),
      rates,
      redemptions: createRedemptions({ rates, clock, secret: 'a test' }),
      bounce: createBounce({ database, publicUrl, product: 'cashier' }),
      metrics,
      telemetry: createTelemetry({ database, clock, metrics }),
    },
    handlers: options.handlers ?? allHandlers,
    callbacks: { receiveCallback: async (name) => ({ kind: name === 'sandbox' ? 'accepted' : 'unknown-provider' }) },
    bonuses: createBonuses(database, () => undefined),
    operators: operatorsInMemory,
    tokens,
    limiter: options.limiter ?? unlimited,
    clock,
    logger: createLogger('debug', { write: (line: string) => void log.push(line) }),
    plugins: [],
    publicUrl,
    product: 'cashier',
    widgetDir: widgetFixture,
    isDebugAllowed: false,
    trustedProxies: options.trustedProxies ?? 0,
    metricsToken: options.metricsToken,
    documentation: options.documentation,
    connectionCounts: options.connectionCounts,
    connectionTimes: options.connectionTimes,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    clock,
    payments,
    tokens,
    metrics,
    socket,
    log,
    draining,
    closeInTime: () => closeInTime(server, { connections, draining, clock }),
    stop: () => server.close(),
  };
}

/** An answer of either transport in one shape. */
export interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: Acknowledgement['error'];
}

export interface Caller {
  readonly token?: string | undefined;
  readonly context?: Partial<CallContext>;
}

export interface TestClient {
  call(call: Pick<CallDefinition, 'name' | 'prefix' | 'method'>, request: unknown, caller?: Caller): Promise<Answer>;
  close(): void;
}

export function contextOf(context: Partial<CallContext> = {}): CallContext {
  return { ...v.parse(callContextSchema, {}), ...context };
}

export function httpClient(url: string): TestClient {
  return {
    async call(call, request, { token, context } = {}) {
      const headers: Record<string, string> = { [extraParamsHeader]: formatExtraParams(contextOf(context)) };
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
      const address = `${url}${httpPathOf(call)}`;
      let response: Response;
      if (call.method === 'GET') {
        const query = new URLSearchParams(
          Object.entries((request ?? {}) as object).map(([k, x]) => [k, typeof x === 'string' ? x : JSON.stringify(x)]),
        );
        response = await fetch(`${address}?${query}`, { headers });
      } else {
        headers['content-type'] = 'application/json';
        response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(request) ?? '' });
      }
      const body = (await response.json()) as { error?: Acknowledgement['error'] };
      return response.ok ? { status: response.status, data: body } : { status: response.status, error: body.error };
    },
    close: () => undefined,
  };
}

/** Opens a socket as the widget does. */
export function openSocket(url: string, { token, context }: Caller = {}, headers: Record<string, string> = {}): Socket {
  const { language, xOrigin, isNative, pwa, isMobileApp, ...rest } = contextOf(context);
  return io(url, {
    path: socketPath,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    auth: { token },
    query: {
      ...rest,
      Language: language,
      xorigin: xOrigin,
      isNative: String(isNative),
      pwa: String(pwa),
      isMobileApp: String(isMobileApp),
      cashier_type: 'widget',
    },
  });
}

export function socketClient(url: string): TestClient {
  const sockets = new Map<string, Socket>();
  return {
    async call(call, request, caller = {}) {
      const key = JSON.stringify(caller);
      const socket = sockets.get(key) ?? openSocket(url, caller);
      sockets.set(key, socket);
      const { serverTime: _time, ...answer } = await socket.timeout(10_000).emitWithAck(socketEventOf(call), request);
      return answer as Answer;
    },
    close() {
      for (const socket of sockets.values()) socket.disconnect();
    },
  };
}
