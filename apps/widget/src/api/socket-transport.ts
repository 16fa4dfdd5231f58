/**
 * Calls over one web socket (NET-3): one event for each call, answered by its acknowledgement. The Socket.IO client speaks the
 * protocol. What NET-3 says about attempts, pauses and time limits is done here, by our clock.
 */

import { acknowledgementSchema, type CallContext, socketEventOf, socketPath } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import { io, type Socket } from 'socket.io-client';
import { Decoder, Encoder } from 'socket.io-parser';
import * as v from 'valibot';
import { abortable } from './abortable.ts';
import { withoutTurning } from './read-json.ts';
import { answerTimeoutMs, type Exchange, type Identity, readServerTime, type Transport } from './transport.ts';

export const connectAttempts = 3;
export const connectBackoffCapMs = 10_000;
const connectBackoffBaseMs = 1000;

export interface SocketTransportOptions {
  /** The server's origin, `https://…`. */
  readonly server: string;
  readonly clock: Clock;
  readonly identity: () => Identity;
  /** 0 to 1, for the random part of the backoff. */
  readonly random?: () => number;
}

/** A connection, and the calls that wait for an answer over it. */
interface Line {
  readonly socket: Socket;
  readonly lost: Set<(reason: string) => void>;
  retired: boolean;
}

type Connected = { readonly line: Line } | { readonly failure: Exchange };

/**
 * How long to wait after a failed attempt, counted from 0: 2^n seconds and up to as much again, at most ten seconds. The random part
 * grows with the pause. So after a restart of the server the widgets come back over a longer and longer time.
 */
export function connectBackoffMs(failed: number, random: number): number {
  return Math.min(connectBackoffCapMs, connectBackoffBaseMs * 2 ** failed * (1 + random));
}

/**
 * A transport over a socket. It connects for the first call, and again for the next call after a drop. It never reconnects
 * without a call, so that a closed or sleeping widget causes no traffic.
 */
export function createSocketTransport(options: SocketTransportOptions): Transport {
  const { clock } = options;
  let current: Line | undefined;
  let connecting: Promise<Connected> | undefined;
  const pushListeners = new Map<string, Set<(body: unknown) => void>>();

  const push = (name: string, body: unknown): void => {
    for (const listen of pushListeners.get(name) ?? []) listen(body);
  };

  /** Calls made at the same time share one connection. */
  const connected = async (): Promise<Connected> => {
    if (current?.socket.connected) return { line: current };
    connecting ??= connect(options, push).finally(() => {
      connecting = undefined;
    });
    const outcome = await connecting;
    if ('line' in outcome) current = outcome.line;
    return outcome;
  };

  /** Sends no further call over a line. Open calls keep it, because closing it would leave a payment's outcome unknown. */
  const retire = (line: Line): void => {
    line.retired = true;
    if (current === line) current = undefined;
  };

  return {
    name: 'socket',
    async exchange(call, request, signal) {
      const outcome = await abortable(connected(), signal);
      if ('failure' in outcome) return outcome.failure;
      const { line } = outcome;
      if (!line.socket.connected) return { kind: 'lost', sent: false, reason: 'Network connection failed' };
      const answer = ask(line, clock, socketEventOf(call), request, () => retire(line));
      return abortable(answer, signal);
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
      retire(old);
      if (old.lost.size === 0) old.socket.disconnect();
      if ([...pushListeners.values()].some((listeners) => listeners.size > 0)) void connected();
    },
    close() {
      current?.socket.disconnect();
      current = undefined;
    },
  };
}

/** Connects, with pauses between the attempts. */
async function connect(
  options: SocketTransportOptions,
  push: (name: string, body: unknown) => void,
): Promise<Connected> {
  const { clock, random = Math.random } = options;
  for (let failed = 0; ; failed += 1) {
    const outcome = await connectOnce(options, push);
    // The server has refused the handshake. Another attempt with the same token would be refused, too.
    if ('line' in outcome || outcome.failure.kind === 'answer' || failed + 1 >= connectAttempts) return outcome;
    await pause(clock, connectBackoffMs(failed, random()));
  }
}

/** Reads frames without the characters that turn the direction of text, as answers over HTTP are read. */
class FrameDecoder extends Decoder {
  override add(frame: unknown): void {
    super.add(typeof frame === 'string' ? withoutTurning(frame) : frame);
  }
}

/**
 * A connection that is not opened yet. Two timers are the library's own: the heartbeat that notices a dead line, and its limit for
 * opening a line. That limit is as long as ours, which starts earlier and ends the attempt.
 */
function createSocket(server: string, { token, context }: Identity): Socket {
  return io(server, {
    path: socketPath,
    transports: ['websocket'],
    query: handshakeQuery(context),
    auth: token === undefined ? {} : { token },
    parser: { Encoder, Decoder: FrameDecoder },
    autoConnect: false,
    // Each attempt and each new token needs a connection of its own.
    forceNew: true,
    reconnection: false,
    timeout: answerTimeoutMs,
  });
}

/** Makes one attempt to connect, with the current token and context. */
function connectOnce(
  { server, clock, identity }: SocketTransportOptions,
  push: (name: string, body: unknown) => void,
): Promise<Connected> {
  return new Promise((resolve) => {
    const socket = createSocket(server, identity());
    const lost: Line['lost'] = new Set();
    const fail = (failure: Exchange): void => {
      cancelTimer();
      // This has no effect when the line was connected before.
      resolve({ failure });
      socket.disconnect();
    };
    const cancelTimer = clock.setTimer(() => fail({ kind: 'lost', sent: false, reason: 'timeout' }), answerTimeoutMs);
    socket.on('connect', () => {
      cancelTimer();
      resolve({ line: { socket, lost, retired: false } });
    });
    socket.on('connect_error', (error) => fail(readRefusal(error)));
    socket.on('disconnect', (reason) => {
      fail({ kind: 'lost', sent: false, reason });
      for (const tell of [...lost]) tell(reason);
    });
    socket.onAny(push);
    socket.connect();
  });
}

/**
 * Sends one request over a line. From here on the server may carry it out, even if the connection breaks.
 *
 * @param retire runs when no answer comes in time: no further call may use the line
 */
function ask(line: Line, clock: Clock, event: string, request: unknown, retire: () => void): Promise<Exchange> {
  return new Promise((resolve) => {
    const finish = (exchange: Exchange): void => {
      cancelTimer();
      line.lost.delete(dropped);
      if (line.retired && line.lost.size === 0) line.socket.disconnect();
      resolve(exchange);
    };
    const dropped = (reason: string): void => finish({ kind: 'lost', sent: true, reason });
    const cancelTimer = clock.setTimer(() => {
      // After a change of networks a line can be dead without being closed.
      retire();
      dropped('timeout');
    }, answerTimeoutMs);
    line.lost.add(dropped);
    line.socket.emit(event, request ?? {}, (acknowledgement: unknown) => finish(readAcknowledgement(acknowledgement)));
  });
}

function readAcknowledgement(acknowledgement: unknown): Exchange {
  const parsed = v.safeParse(acknowledgementSchema, acknowledgement);
  // An answer without a status is unreadable. NaN is no success on any transport.
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

/** A refusal by the cashier's server has an acknowledgement as data. With any other failure the call did not reach it. */
function readRefusal(error: Error & { readonly data?: unknown }): Exchange {
  if (v.is(acknowledgementSchema, error.data)) return readAcknowledgement(error.data);
  return { kind: 'lost', sent: false, reason: error.message, cause: error };
}

/** The parameters of §7, as texts. The token is not among them, because servers log addresses. */
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
