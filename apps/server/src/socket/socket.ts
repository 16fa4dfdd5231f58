/** Calls and pushes over socket.io (NET-3, NET-4). */
import type { Server as HttpServer } from 'node:http';
import { socketPath } from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { Decoder } from 'socket.io-parser';
import { errorAnswer } from '../dispatch/api-error.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { callerAddress } from '../http/caller-address.ts';
import { type ConnectionLimits, tokenWithinMs } from '../http/connection-limits.ts';
import { newRequestId } from '../http/http.ts';
import type { OriginCheck } from '../http/origin-check.ts';
import { withinTime } from '../jobs/within-time.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Identify } from '../operators/identity.ts';
import { AnswerEncoder } from './answer-encoder.ts';
import { type CashierSocket, type CashierSockets, roomOf } from './cashier-socket.ts';
import { admitSocket, mayConnect, partnerKeyOf, refusal } from './handshake.ts';
import { createSocketCalls, messagesPerWindow, type SocketCalls } from './socket-calls.ts';
import { createTurns } from './turns.ts';

export interface SocketOptions {
  readonly dispatch: Dispatch;
  readonly identify: Identify;
  readonly isOriginAllowed: OriginCheck;
  /** The id of the operator with a public key. */
  readonly operatorOf: (partnerKey: string) => string | undefined;
  readonly limiter: RateLimiter;
  readonly trustedProxies: number;
  /** The address of the documentation, without a slash at its end. */
  readonly documentation: string;
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
  /** Takes no more sockets, waits for the calls in hand, then closes the sockets. */
  drain(): Promise<void>;
}

/** A frame above this size, in bytes, is not read, and its socket is closed. */
const frameLimit = 256 * 1024;
/** How long a drain waits for calls in hand, and then for sockets to close. ms. */
const drainWithinMs = 4_200;
const goodbyeWithinMs = 250;

const spentHandshake = Object.freeze({ headers: {}, query: {}, auth: {} });

export function attachSocket(httpServer: HttpServer, options: SocketOptions): SocketTransport {
  const { connections, clock, metrics } = options;
  let isClosed = false;
  const sockets = openSockets(httpServer, options, () => isClosed);
  const socketCalls = createSocketCalls(options);

  sockets.use((socket, next) => decide(socket, options, next));
  sockets.on('connection', (socket) => serve(socket, socketCalls, clock, metrics));

  return {
    push(operatorId, userId, name, body) {
      sockets.to(roomOf(operatorId, userId)).emit(name, body as never);
    },
    async drain() {
      isClosed = true;
      await withinTime(clock, drainWithinMs, socketCalls.idle(), () => undefined);
      await withinTime(clock, goodbyeWithinMs, closeAll(sockets), () => undefined);
      sockets.engine.close();
      connections.endUpgraded();
      await Promise.all([...sockets._nsps.values()].map((namespace) => namespace.adapter.close()));
    },
  };
}

function openSockets(httpServer: HttpServer, options: SocketOptions, isClosed: () => boolean): CashierSockets {
  const { connections, isOriginAllowed, operatorOf, logger, redis } = options;
  const turns = createTurns();
  return new Server(httpServer, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: frameLimit,
    connectTimeout: tokenWithinMs,
    parser: { Encoder: AnswerEncoder, Decoder },
    // CORS does not cover web sockets: any page may open one, and only the server can refuse it.
    allowRequest: (request, decide) => {
      const refuse = (reason: string): void => decide(reason, false);
      if (isClosed() || !connections.admit(request)) return refuse('too many connections');
      const open = (): void => {
        if (isClosed() || request.socket.destroyed) {
          refuse('gone');
          return;
        }
        mayConnect(request, isOriginAllowed).then(
          (isAllowed) => decide(isAllowed && !isClosed() ? null : 'forbidden', isAllowed && !isClosed()),
          (error: unknown) => {
            logger.error({ err: error }, 'origin check failed');
            refuse('unavailable');
          },
        );
      };
      if (!turns.take(operatorOf(partnerKeyOf(request)) ?? '', open)) refuse('too many connections');
    },
    ...(redis && { adapter: createAdapter(redis) }),
  });
}

/** Decides about a new socket, and calls `next` with the error that refuses it. */
function decide(socket: CashierSocket, options: SocketOptions, next: (failure?: Error) => void): void {
  const { trustedProxies, connections, logger } = options;
  const { address, headers } = socket.handshake;
  socket.data.address = callerAddress(address, headers['x-forwarded-for'], trustedProxies);
  const { socket: line } = socket.conn.request;
  admitSocket(socket, options).then(
    (failure) => {
      if (socket.data.identity?.kind === 'user') connections.keep(line);
      next(failure);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'handshake failed');
      next(refusal(errorAnswer(error, newRequestId()), options));
    },
  );
}

/** Answers the calls of a socket and sends it the pushes of its user, until it disconnects. */
function serve(socket: CashierSocket, socketCalls: SocketCalls, clock: Clock, metrics: Metrics): void {
  metrics.socketOpened();
  forgetHandshake(socket);
  // Every call in hand listens for the end of its socket. Node would report more than ten listeners as a leak.
  socket.setMaxListeners(messagesPerWindow + 10);
  const leaveRoom = joinOwnRoom(socket, clock);
  socket.onAny((event: string, ...args: unknown[]) => {
    void socketCalls.answer(socket, event, args);
  });
  socket.on('disconnect', () => {
    leaveRoom();
    metrics.socketClosed();
  });
}

/** Nobody reads these again. The token must not stay in memory, and the rest is half of what an idle socket weighs. */
function forgetHandshake(socket: CashierSocket): void {
  (socket.conn as unknown as { request: unknown }).request = null;
  (socket as unknown as { handshake: unknown }).handshake = spentHandshake;
}

/**
 * Closes every socket, and resolves once all are closed. Sends no `disconnect` packet: a client that loses its connection connects
 * again, to another node.
 */
async function closeAll(sockets: CashierSockets): Promise<void> {
  const closed = [...sockets.sockets.sockets.values()].map(
    ({ conn }) =>
      new Promise<void>((resolve) => {
        conn.once('close', () => resolve());
        conn.close();
      }),
  );
  await Promise.all(closed);
}

/** Lets the user's pushes reach the socket until its token ends. Answers what cancels the timer of that end. */
function joinOwnRoom(socket: CashierSocket, clock: Clock): Cancel {
  const { identity } = socket.data;
  if (identity.kind !== 'user') return () => undefined;
  const room = roomOf(identity.caller.operatorId, identity.caller.userId);
  void socket.join(room);
  return clock.setTimer(() => void socket.leave(room), identity.expiresAt - clock.now());
}
