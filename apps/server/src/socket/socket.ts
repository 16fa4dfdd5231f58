/** Calls and pushes over socket.io (NET-3, NET-4): an event per call of the contract, answered by acknowledgement. */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import {
  type Acknowledgement,
  type CallContext,
  calls,
  handshakeAuthSchema,
  handshakeQuerySchema,
  socketEventOf,
  socketPath,
} from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Redis } from 'ioredis';
import { Server, type Socket } from 'socket.io';
import * as v from 'valibot';
import { ApiError, errorAnswer } from '../dispatch/api-error.ts';
import type { Dispatch, Outcome } from '../dispatch/dispatch.ts';
import { callerAddress } from '../http/caller-address.ts';
import { type ConnectionLimits, strangerMs } from '../http/connection-limits.ts';
import { forbiddenOrigin, newRequestId } from '../http/http.ts';
import type { OriginCheck } from '../http/origin-check.ts';
import { withinTime } from '../jobs/within-time.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Identify, Identity } from '../operators/identity.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { isWithinSize } from './message-size.ts';

export interface SocketOptions {
  readonly dispatch: Dispatch;
  readonly identify: Identify;
  readonly isOriginAllowed: OriginCheck;
  readonly limiter: RateLimiter;
  readonly trustedProxies: number;
  readonly connections: ConnectionLimits;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Set when several nodes share their users (SRV-7). */
  readonly redis?: Redis | undefined;
}

export interface SocketTransport {
  /** Sends to every socket of a user, on whichever node. Best effort: a push is a hint. */
  push(operatorId: string, userId: string, name: string, body: unknown): void;
  /** Takes no more sockets, waits for the calls in hand, then lets the sockets go. */
  drain(): Promise<void>;
}

/** What a request may weigh; a frame above the second size is not even read, and its socket is closed. */
const messageLimit = 64 * 1024;
const frameLimit = 256 * 1024;
const messagesPerWindow = 100;
const windowMs = 10_000;
/** A widget connects once and again after a drop; a user has a few tabs. Behind one address there may be many users. */
const connectsPerMinute = { user: 30, anonymous: 120 };
const minuteMs = 60_000;
/** For calls in hand, and then for clients that say goodbye. */
const drainWithinMs = 4_200;
const goodbyeWithinMs = 250;

interface SocketData {
  address: string;
  identity: Identity;
  context: CallContext;
}
type CashierSocket = Socket<Record<string, never>, Record<string, never>, Record<string, never>, SocketData>;

const namesByEvent = new Map<string, string>(Object.values(calls).map((call) => [socketEventOf(call), call.name]));

export function attachSocket(httpServer: HttpServer, options: SocketOptions): SocketTransport {
  const { dispatch, identify, isOriginAllowed, limiter, trustedProxies, connections, clock, metrics, logger } = options;
  let inHand = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;

  const io = new Server<Record<string, never>, Record<string, never>, Record<string, never>, SocketData>(httpServer, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: frameLimit,
    connectTimeout: strangerMs,
    // CORS does not cover web sockets: any page may open one, and only the server can refuse it.
    allowRequest: (request, decide) => {
      if (isClosed || !connections.admit(request)) return decide('too many connections', false);
      mayConnect(request, isOriginAllowed).then(
        (isAllowed) => decide(isAllowed && !isClosed ? null : 'forbidden', isAllowed && !isClosed),
        (error: unknown) => {
          logger.error({ err: error }, 'origin check failed');
          decide('unavailable', false);
        },
      );
    },
    ...(options.redis && { adapter: createAdapter(options.redis) }),
  });

  io.use((socket, next) => {
    const { address, headers } = socket.handshake;
    socket.data.address = callerAddress(address, headers['x-forwarded-for'], trustedProxies);
    const { socket: line } = socket.conn.request;
    greet(socket, identify, isOriginAllowed, limiter, clock.now()).then(
      (failure) => {
        if (socket.data.identity?.kind === 'user') connections.greet(line);
        next(failure);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'handshake failed');
        next(refusal(errorAnswer(error, newRequestId()), clock.now()));
      },
    );
  });

  io.on('connection', (socket) => {
    metrics.socketOpened();
    // The upgrade request is not needed any more and is a third of what an idle connection weighs.
    (socket.conn as unknown as { request: unknown }).request = null;
    // Every call in hand listens for the end of its socket; Node would take more than ten for a leak.
    socket.setMaxListeners(messagesPerWindow + 10);
    const leaveRoom = joinOwnRoom(socket, clock);
    socket.onAny((event: string, ...args: unknown[]) => {
      void answer(socket, event, args);
    });
    socket.on('disconnect', () => {
      leaveRoom();
      metrics.socketClosed();
    });
  });

  async function answer(socket: CashierSocket, event: string, args: unknown[]): Promise<void> {
    const last = args.at(-1);
    const acknowledge = typeof last === 'function' ? (last as (body: Acknowledgement) => void) : undefined;
    const requestId = newRequestId();
    inHand += 1;
    try {
      const outcome = await outcomeOf(socket, event, acknowledge ? args.slice(0, -1) : args, requestId);
      acknowledge?.(acknowledgementOf(outcome, clock.now()));
    } catch (error) {
      logger.error({ err: error, reference: requestId }, 'acknowledgement failed');
    } finally {
      inHand -= 1;
      if (inHand === 0) onIdle?.();
    }
  }

  async function outcomeOf(
    socket: CashierSocket,
    event: string,
    args: readonly unknown[],
    requestId: string,
  ): Promise<Outcome> {
    const wait = limiter.takeHere(`socket ${socket.id}`, messagesPerWindow, windowMs);
    if (wait > 0) {
      const failure = new ApiError('rate-limited', 'Too many messages.', { retryAfterSeconds: wait });
      return errorAnswer(failure, requestId);
    }
    if (!isWithinSize(args, messageLimit)) {
      return errorAnswer(new ApiError('request-too-large', 'The request is over the limit.'), requestId);
    }
    const abort = new AbortController();
    const leave = () => abort.abort(new Error('The caller went away.'));
    const name = namesByEvent.get(event);
    const isReading = name !== undefined && calls[name as keyof typeof calls].idempotency.kind === 'read';
    // As over HTTP: what only reads is given up when nobody waits, a payment that was begun is finished.
    if (isReading) socket.once('disconnect', leave);
    try {
      return await dispatch({
        transport: 'socket',
        name: name ?? '',
        request: args[0],
        identity: socket.data.identity,
        context: socket.data.context,
        address: socket.data.address,
        requestId,
        abort,
      });
    } finally {
      if (isReading) socket.off('disconnect', leave);
    }
  }

  return {
    push(operatorId, userId, name, body) {
      io.to(roomOf(operatorId, userId)).emit(name, body as never);
    },
    async drain() {
      isClosed = true;
      if (inHand > 0) {
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve;
        });
        await withinTime(clock, drainWithinMs, idle, () => undefined);
      }
      // Without a packet that says goodbye: a client takes the lost line for what it is, and connects again to another node.
      const gone = [...io.sockets.sockets.values()].map(
        ({ conn }) =>
          new Promise<void>((resolve) => {
            conn.once('close', () => resolve());
            conn.close();
          }),
      );
      await withinTime(clock, goodbyeWithinMs, Promise.all(gone), () => undefined);
      io.engine.close();
      connections.endUpgraded();
      await Promise.all([...io._nsps.values()].map((namespace) => namespace.adapter.close()));
    },
  };
}

async function mayConnect(request: IncomingMessage, isOriginAllowed: OriginCheck): Promise<boolean> {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  const query = new URLSearchParams(request.url?.split('?')[1] ?? '');
  const context = { partnerKey: query.get('partnerKey') ?? '' };
  return isOriginAllowed({ origin, host, identity: { kind: 'anonymous' }, context });
}

/**
 * Reads who connects. A bad or stale token does not refuse the socket: every call on it is answered 401 instead, which the
 * widget understands (HOST-11), while a refused connection would look like a broken network.
 */
async function greet(
  socket: CashierSocket,
  identify: Identify,
  isOriginAllowed: OriginCheck,
  limiter: RateLimiter,
  now: number,
): Promise<Error | undefined> {
  const query = v.safeParse(handshakeQuerySchema, socket.handshake.query);
  if (!query.success) return refusal(errorAnswer(invalidRequest(query.issues), newRequestId()), now);
  const auth = v.safeParse(handshakeAuthSchema, socket.handshake.auth);
  const identity: Identity = auth.success
    ? await identify(auth.output.token)
    : { kind: 'refused', code: 'unauthorized' };
  const { partnerKey, userId, xorigin, Language, platform, isNative, pwa, isMobileApp } = query.output;
  const context: CallContext = {
    partnerKey,
    userId,
    xOrigin: xorigin,
    language: Language,
    platform,
    isNative: isNative === 'true',
    pwa: pwa === 'true',
    isMobileApp: isMobileApp === 'true',
  };
  const { origin, host } = socket.handshake.headers;
  if (origin !== undefined && !(await isOriginAllowed({ origin, host, identity, context }))) {
    return refusal(forbiddenOrigin(newRequestId()), now);
  }
  const isUser = identity.kind === 'user';
  const who = isUser ? roomOf(identity.caller.operatorId, identity.caller.userId) : socket.data.address;
  const limit = isUser ? connectsPerMinute.user : connectsPerMinute.anonymous;
  const wait = await limiter.take(`connect ${who}`, limit, minuteMs);
  if (wait > 0) {
    const failure = new ApiError('rate-limited', 'Too many connections.', { retryAfterSeconds: wait });
    return refusal(errorAnswer(failure, newRequestId()), now);
  }
  socket.data.identity = identity;
  socket.data.context = context;
  return undefined;
}

/** The client finds `data` in its `connect_error`. */
function refusal(outcome: Outcome, serverTime: number): Error {
  const error = 'error' in outcome ? outcome.error : undefined;
  return Object.assign(new Error(error?.message ?? 'refused'), { data: acknowledgementOf(outcome, serverTime) });
}

function acknowledgementOf(outcome: Outcome, serverTime: number): Acknowledgement {
  const { status } = outcome;
  return 'error' in outcome ? { status, error: outcome.error, serverTime } : { status, data: outcome.data, serverTime };
}

/** Lets the user's pushes reach the socket until its token ends. Answers how to stop watching the time. */
function joinOwnRoom(socket: CashierSocket, clock: Clock): Cancel {
  const { identity } = socket.data;
  if (identity.kind !== 'user') return () => undefined;
  const room = roomOf(identity.caller.operatorId, identity.caller.userId);
  void socket.join(room);
  return clock.setTimer(() => void socket.leave(room), identity.expiresAt - clock.now());
}

function roomOf(operatorId: string, userId: string): string {
  return JSON.stringify([operatorId, userId]);
}
