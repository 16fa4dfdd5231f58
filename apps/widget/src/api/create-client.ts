/** The client's rules above a transport: retry, renewal of the token, reading by schema, what is known and what is not. */
import { type CallDefinition, type CallError, isSuccessStatus, pushes } from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { type ApiClient, ClientError } from './client.ts';
import { readWithoutOddItems } from './odd-items.ts';
import { type Attempt, createSilence, type HeardCall } from './silence.ts';
import type { Exchange, Transport } from './transport.ts';

/** NET-5, §9. */
export const retries = 3;
export const retryDelayMs = 2000;
export const networkErrorCode = 'socket.networkError';
/** How long a refused call waits for the host's fresh token before it fails (HOST-11): less than a list waits for its answers. */
export const renewalTimeoutMs = 15_000;
/** The same where the token is missing or another's: the host is asked, but a fresh one is hardly to be expected. */
export const strangerTimeoutMs = 3000;

/** Calls that nobody waits for. */
const unheeded: ReadonlySet<string> = new Set(['events', 'session-form-on-close-modal']);

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Asks the host for a fresh token. */
  readonly onTokenExpired: () => void;
  /** Told about every failed call (ERR-3), with the call's name and the failure's code. */
  readonly onFailure?: (call: string, failure: ClientError) => void;
  /** Told about items of a list that could not be read, by their places in the answer. */
  readonly onSkipped?: (call: string, places: readonly string[]) => void;
}

export interface ManagedClient extends ApiClient {
  /** The host has replaced the token: calls that wait for it are repeated. */
  tokenRenewed(): void;
  close(): void;
}

export function createClient({ transport, clock, onTokenExpired, onFailure, onSkipped }: ClientOptions): ManagedClient {
  let offsetMs = 0;
  let tokenGeneration = 0;
  const silence = createSilence(clock);
  const awaiting = new Set<(renewed: boolean) => void>();

  const freshToken = (timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> => {
    // Calls that are refused together ask the host once.
    if (awaiting.size === 0) onTokenExpired();
    return new Promise((resolve, reject) => {
      let cancelTimer: Cancel = () => {};
      const finish = (renewed: boolean): void => {
        awaiting.delete(finish);
        cancelTimer();
        signal?.removeEventListener('abort', aborted);
        resolve(renewed);
      };
      const aborted = (): void => {
        finish(false);
        reject(signal?.reason);
      };
      cancelTimer = clock.setTimer(() => finish(false), timeoutMs);
      awaiting.add(finish);
      signal?.addEventListener('abort', aborted, { once: true });
    });
  };

  /** One call with its retries. `mayHaveRun`: an attempt before the last one may have reached the server. */
  const persist = async (call: CallDefinition, request: unknown, signal?: AbortSignal) => {
    // Of a call that is sent once nobody could say that we keep trying: its own screen says what has become of it.
    const isHeard = call.retry && !unheeded.has(call.name);
    const heard = isHeard ? silence.call(call.idempotency.kind === 'read') : undefined;
    try {
      return await tryAgain(call, request, heard, signal);
    } finally {
      heard?.ended();
    }
  };

  const tryAgain = async (
    call: CallDefinition,
    request: unknown,
    heard: HeardCall | undefined,
    signal: AbortSignal | undefined,
  ) => {
    let mayHaveRun = false;
    for (let attempt = 0; ; attempt += 1) {
      const askedAt = clock.now();
      const exchange = await listened(heard?.attempt(), transport.exchange(call, request, signal));
      if (exchange.kind === 'answer') {
        noteServerTime(exchange, askedAt);
        return { exchange, mayHaveRun };
      }
      mayHaveRun ||= exchange.sent;
      if (!call.retry || attempt >= retries) return { exchange, mayHaveRun };
      await pause(clock, retryDelayMs, signal);
    }
  };

  const listened = async (heard: Attempt | undefined, attempt: Promise<Exchange>): Promise<Exchange> => {
    try {
      const exchange = await attempt;
      if (exchange.kind === 'answer') heard?.answered();
      else heard?.lost();
      return exchange;
    } catch (error) {
      heard?.dropped();
      throw error;
    }
  };

  const noteServerTime = (exchange: Exchange & { kind: 'answer' }, askedAt: number): void => {
    if (exchange.serverTimeMs === undefined) return;
    // The answer was written somewhere between asking and hearing; the middle is the best guess.
    offsetMs = Math.round(exchange.serverTimeMs - (askedAt + clock.now()) / 2);
  };

  const perform = async (call: CallDefinition, request: unknown, signal?: AbortSignal): Promise<unknown> => {
    const generation = tokenGeneration;
    let { exchange, mayHaveRun } = await persist(call, request, signal);
    if (exchange.kind === 'answer' && exchange.status === 401) {
      const timeoutMs = exchange.error?.code === 'token-expired' ? renewalTimeoutMs : strangerTimeoutMs;
      const renewed = tokenGeneration !== generation || (await freshToken(timeoutMs, signal));
      if (renewed) {
        const repeated = await persist(call, request, signal);
        exchange = repeated.exchange;
        mayHaveRun ||= repeated.mayHaveRun;
      }
    }
    if (exchange.kind === 'lost') throw lost(call, exchange, mayHaveRun);
    if (!isSuccessStatus(exchange.status, transport.name)) throw refused(call, exchange, mayHaveRun);
    const parsed = v.safeParse(call.response, exchange.data);
    if (parsed.success) return parsed.output;
    const list = call.skipsOddItems ? readWithoutOddItems(call.response, exchange.data) : undefined;
    if (list !== undefined) {
      onSkipped?.(call.name, list.skipped);
      return list.output;
    }
    throw new ClientError({
      kind: 'unknown',
      code: 'invalid-response',
      status: exchange.status,
      message: `The answer of ${call.name} does not have the documented shape at ${v.getDotPath(parsed.issues[0]) ?? 'its top'}.`,
    });
  };

  return {
    async call(call, request, { signal } = {}) {
      signal?.throwIfAborted();
      try {
        // The response schema of this very call has read the value.
        return (await perform(call, request, signal)) as v.InferOutput<typeof call.response>;
      } catch (error) {
        if (error instanceof ClientError) onFailure?.(call.name, error);
        throw error;
      }
    },
    onPush(name, listen) {
      return transport.onPush(name, (body) => {
        const parsed = v.safeParse(pushes[name].body, body);
        // A push is a hint, so one that cannot be read is no loss: the screen asks by itself.
        if (parsed.success) listen(parsed.output as Parameters<typeof listen>[0]);
      });
    },
    serverOffsetMs: () => offsetMs,
    silence,
    tokenRenewed() {
      tokenGeneration += 1;
      transport.renew();
      for (const finish of [...awaiting]) finish(true);
    },
    close() {
      for (const finish of [...awaiting]) finish(false);
      transport.close();
    },
  };
}

function lost(call: CallDefinition, exchange: Exchange & { kind: 'lost' }, mayHaveRun: boolean): ClientError {
  const unknown = mayHaveRun && call.idempotency.kind !== 'read';
  return new ClientError(
    {
      kind: unknown ? 'unknown' : 'network',
      code: networkErrorCode,
      status: 0,
      message: `${call.name} was not answered: ${exchange.reason}.`,
    },
    { cause: exchange.cause },
  );
}

/** Answers of 5xx by which the server vouches that nothing was carried out. */
const nothingHappened: ReadonlySet<string> = new Set(['provider-error', 'temporarily-unavailable', 'not-implemented']);

function refused(call: CallDefinition, exchange: Exchange & { kind: 'answer' }, mayHaveRun: boolean): ClientError {
  const { status, error } = exchange;
  return new ClientError({
    kind: isUnknown(call, status, error, mayHaveRun) ? 'unknown' : 'refused',
    code: error?.code ?? 'invalid-response',
    status: Number.isFinite(status) ? status : 0,
    message: error?.message ?? `${call.name} was answered with status ${status} and no reason.`,
    ...(error?.fields && { fields: error.fields }),
    ...(error?.params && { params: error.params }),
    ...(error?.reference !== undefined && { reference: error.reference }),
  });
}

/** Whether money may have moved although the call was not answered with success. */
function isUnknown(call: CallDefinition, status: number, error: CallError | undefined, mayHaveRun: boolean): boolean {
  if (call.idempotency.kind === 'read') return false;
  if (error?.code === 'unknown-outcome' || error?.code === 'in-flight') return true;
  if (!Number.isFinite(status)) return true;
  // A server that is away, a limit or a missing token say nothing about an earlier attempt that went unanswered.
  if (mayHaveRun && (status === 401 || status === 429 || error?.code === 'temporarily-unavailable')) return true;
  return status >= 500 && (error === undefined || !nothingHappened.has(error.code));
}

function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.setTimer(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
