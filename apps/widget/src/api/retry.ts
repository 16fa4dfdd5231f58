/** One call with its retries (NET-5). Its attempts show whether the server is silent. */

import type { CallDefinition } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import type { Attempt, SilenceWatch, WatchedCall } from './silence.ts';
import type { Exchange, Transport } from './transport.ts';

/** NET-5, §9. */
export const retries = 3;
export const retryDelayMs = 2000;

/** The result of a call with its retries. */
export interface Outcome {
  readonly exchange: Exchange;
  /** An attempt before the last one may have reached the server. */
  readonly mayHaveRun: boolean;
}

export interface AttemptPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly silence: SilenceWatch;
  /** Runs for every answer; `askedAt` is when its attempt began, in ms by this device's clock. */
  readonly onAnswer: (exchange: Exchange & { kind: 'answer' }, askedAt: number) => void;
}

/** Makes the call until it is answered or its retries are used up. Rejects only with the reason of an aborted signal. */
export async function exchangeWithRetries(
  ports: AttemptPorts,
  call: CallDefinition,
  request: unknown,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const watched = ports.silence.call(call);
  try {
    return await attemptUntilAnswered(ports, call, request, watched, signal);
  } finally {
    watched?.ended();
  }
}

async function attemptUntilAnswered(
  { transport, clock, onAnswer }: AttemptPorts,
  call: CallDefinition,
  request: unknown,
  watched: WatchedCall | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let mayHaveRun = false;
  for (let attempt = 0; ; attempt += 1) {
    const askedAt = clock.now();
    const exchange = await watchAttempt(watched?.attempt(), transport.exchange(call, request, signal));
    if (exchange.kind === 'answer') {
      onAnswer(exchange, askedAt);
      return { exchange, mayHaveRun };
    }
    mayHaveRun ||= exchange.sent;
    if (!call.retry || attempt >= retries) return { exchange, mayHaveRun };
    await pause(clock, retryDelayMs, signal);
    signal?.throwIfAborted();
  }
}

async function watchAttempt(watched: Attempt | undefined, attempt: Promise<Exchange>): Promise<Exchange> {
  try {
    const exchange = await attempt;
    if (exchange.kind === 'answer') watched?.answered();
    else watched?.lost();
    return exchange;
  } catch (error) {
    watched?.dropped();
    throw error;
  }
}
