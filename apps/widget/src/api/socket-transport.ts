/** Calls over one web socket (NET-3): one event a call, answered by its acknowledgement. */
import { acknowledgementSchema, type CallContext, socketEventOf, socketPath } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { io, type Socket } from 'socket.io-client';
import * as v from 'valibot';
import { answerTimeoutMs, type Exchange, type Identity, readServerTime, type Transport } from './transport.ts';

export const connectAttempts = 3;
export const connectBackoffCapMs = 10_000;
const connectBackoffBaseMs = 1000;
const connectJitterMs = 1000;

export interface SocketTransportOptions {
  /** The server's origin; empty for the page's own. */
  readonly server: string;
  readonly clock: Clock;
  readonly identity: () => Identity;
  /** 0 to 1, for the random part of the backoff. */
  readonly random?: () => number;
}

/** A connection and how many of its calls wait for an answer. */
interface Line {
  readonly socket: Socket;
  pending: number;
  retired: boolean;
}

type Connected = { readonly line: Line } | { readonly failure: Exchange };

/** How long to wait after a failed attempt, counted from 0: 2^n seconds plus up to one random second, at most ten. */
export function connectBackoffMs(failed: number, random: number): number {
  return Math.min(connectBackoffCapMs, connectBackoffBaseMs * 2 ** failed + connectJitterMs * random);
}

/**
 * The socket connects with the first call or push that needs it, and again with the next call after a drop; it never
 * reconnects by itself, so a closed or sleeping widget does not wake a server.
 */
export function createSocketTransport(options: SocketTransportOptions): Transport {
  const { server, clock, identity, random = Math.random } = options;
  let current: Line | undefined;
  let connecting: Promise<Connected> | undefined;
  const pushListeners = new Map<string, Set<(body: unknown) => void>>();

  const open = (): Socket => {
    const { token, context } = identity();
    const opened = io(server, {
      path: socketPath,
      transports: ['websocket'],
      autoConnect: false,
      reconnection: false,
      // A new handshake needs a new connection: the library would otherwise reuse the one of the old token.
      forceNew: true,
      timeout: answerTimeoutMs,
      auth: token === undefined ? {} : { token },
      query: handshakeQuery(context),
    });
    opened.onAny((name: string, body: unknown) => {
      for (const listen of pushListeners.get(name) ?? []) listen(body);
    });
    return opened;
  };

  const connectOnce = (): Promise<Connected> =>
    new Promise((resolve) => {
      const attempt = open();
      const settle = (outcome: Connected): void => {
        attempt.off('connect');
        attempt.off('connect_error');
        if ('failure' in outcome) attempt.disconnect();
        resolve(outcome);
      };
      attempt.on('connect', () => settle({ line: { socket: attempt, pending: 0, retired: false } }));
      attempt.on('connect_error', (cause) => settle({ failure: readRefusal(cause) }));
      attempt.connect();
    });

  const connect = async (): Promise<Connected> => {
    for (let failed = 0; ; failed += 1) {
      const outcome = await connectOnce();
      // A server that answers "no" has answered; asking again with the same token cannot help.
      if ('line' in outcome || outcome.failure.kind === 'answer' || failed + 1 >= connectAttempts) return outcome;
      await new Promise<void>((resolve) => clock.setTimer(resolve, connectBackoffMs(failed, random())));
    }
  };

  /** Calls made at the same time share one connection. */
  const connected = async (): Promise<Connected> => {
    if (current?.socket.connected) return { line: current };
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    const outcome = await connecting;
    if ('line' in outcome) current = outcome.line;
    return outcome;
  };

  const ask = async ({ line, event, request }: { line: Line; event: string; request: unknown }): Promise<Exchange> => {
    line.pending += 1;
    const exchange = await emit(line.socket, event, request, clock);
    line.pending -= 1;
    if (line.retired && line.pending === 0) line.socket.disconnect();
    return exchange;
  };

  return {
    name: 'socket',
    async exchange(call, request, signal) {
      const outcome = await abortable(connected(), signal);
      if ('failure' in outcome) return outcome.failure;
      return abortable(ask({ line: outcome.line, event: socketEventOf(call), request }), signal);
    },
    onPush(name, listen) {
      const listeners = pushListeners.get(name) ?? new Set();
      pushListeners.set(name, listeners.add(listen));
      return () => {
        listeners.delete(listen);
      };
    },
    renew() {
      const old = current;
      if (old === undefined) return;
      current = undefined;
      // A call that is under way keeps its connection: cutting it would leave a payment's outcome unknown.
      old.retired = true;
      if (old.pending === 0) old.socket.disconnect();
      if ([...pushListeners.values()].some((listeners) => listeners.size > 0)) void connected();
    },
    close() {
      current?.socket.disconnect();
      current = undefined;
    },
  };
}

function emit(socket: Socket, event: string, request: unknown, clock: Clock): Promise<Exchange> {
  return new Promise((resolve) => {
    const finish = (exchange: Exchange): void => {
      cancelTimer();
      socket.off('disconnect', dropped);
      resolve(exchange);
    };
    // The connection was open when the request was handed over, so from here on it may have been carried out.
    const cancelTimer = clock.setTimer(() => finish({ kind: 'lost', sent: true, reason: 'timeout' }), answerTimeoutMs);
    const dropped = (reason: string): void => finish({ kind: 'lost', sent: true, reason });
    socket.on('disconnect', dropped);
    socket.emit(event, request ?? {}, (acknowledgement: unknown) => finish(readAcknowledgement(acknowledgement)));
  });
}

function readAcknowledgement(acknowledgement: unknown): Exchange {
  const parsed = v.safeParse(acknowledgementSchema, acknowledgement);
  // An answer without a status is an answer that makes no sense; NaN is no success on any transport.
  if (!parsed.success) return { kind: 'answer', status: Number.NaN };
  const { status, data, error } = parsed.output;
  const serverTimeMs = readServerTime((acknowledgement as { serverTime?: unknown }).serverTime);
  return {
    kind: 'answer',
    status,
    data,
    ...(error && { error }),
    ...(serverTimeMs !== undefined && { serverTimeMs }),
  };
}

/** A refusal by the server's own middleware carries an acknowledgement as its data; anything else never got there. */
function readRefusal(cause: Error & { data?: unknown }): Exchange {
  const parsed = v.safeParse(acknowledgementSchema, cause.data);
  if (parsed.success) return readAcknowledgement(cause.data);
  return { kind: 'lost', sent: false, reason: cause.message === 'timeout' ? 'timeout' : 'network error', cause };
}

/** §7 names these; their values are text. The token is not among them: an address ends in logs. */
function handshakeQuery(context: CallContext): Record<string, string> {
  return {
    partnerKey: context.partnerKey,
    userId: context.userId,
    xorigin: context.xOrigin,
    Language: context.language,
    platform: context.platform,
    isNative: String(context.isNative),
    pwa: String(context.pwa),
    isMobileApp: String(context.isMobileApp),
    cashier_type: 'widget',
  };
}

/** Stops waiting when the signal says so. What was sent stays sent. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
