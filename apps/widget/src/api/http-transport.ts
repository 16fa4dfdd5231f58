/** Calls over HTTP (NET-2). There are no pushes over HTTP, so screens also poll. */
import { errorBodySchema, extraParamsHeader, formatExtraParams, httpPathOf } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { readJson } from './read-json.ts';
import { answerTimeoutMs, type Exchange, type Identity, readServerTime, type Transport } from './transport.ts';

export interface HttpTransportOptions {
  /** The server's origin; empty for the origin of the page. */
  readonly server: string;
  readonly clock: Clock;
  readonly identity: () => Identity;
  readonly fetch?: typeof fetch;
}

/** The one call that a screen makes because the page closes (DEP-9). */
const closingCall = 'session-form-on-close-modal';
/** Calls that are made while the page closes and must outlive it (§7). */
const outlivePage: ReadonlySet<string> = new Set([closingCall, 'events']);

export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { server, clock, identity } = options;
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  return {
    name: 'http',
    async exchange(call, request, signal): Promise<Exchange> {
      signal?.throwIfAborted();
      const { token, context } = identity();
      const attempt = new AbortController();
      const forward = (): void => attempt.abort(signal?.reason);
      signal?.addEventListener('abort', forward);
      let late = false;
      // A device that is offline from the start sends nothing. One that goes offline later may have sent the request.
      const wasOffline = globalThis.navigator?.onLine === false;
      const cancelTimer = clock.setTimer(() => {
        late = true;
        attempt.abort();
      }, answerTimeoutMs);
      try {
        const query = call.method === 'GET' ? queryOf(request) : '';
        const response = await send(`${server}${httpPathOf(call)}${query}`, {
          method: call.method,
          cache: 'no-store',
          credentials: 'omit',
          keepalive: outlivePage.has(call.name),
          headers: {
            accept: 'application/json',
            'cache-control': 'no-cache',
            [extraParamsHeader]: formatExtraParams(context),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(call.method === 'POST' && { 'content-type': 'application/json' }),
          },
          ...(call.method === 'POST' && { body: JSON.stringify(request ?? {}) }),
          signal: attempt.signal,
        });
        return await read(response);
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        return { kind: 'lost', sent: !wasOffline, reason: late ? 'timeout' : 'Network connection failed', cause };
      } finally {
        cancelTimer();
        signal?.removeEventListener('abort', forward);
      }
    },
    onPush: () => () => {},
    renew() {},
    close() {},
  };
}

/**
 * A transport that makes the closing call over HTTP. The browser closes a socket with its page, so the call would be lost;
 * a request with `keepalive` outlives the page.
 */
export function withClosingCallOverHttp(transport: Transport, http: Pick<Transport, 'exchange'>): Transport {
  return {
    ...transport,
    exchange: (call, request, signal) => (call.name === closingCall ? http : transport).exchange(call, request, signal),
  };
}

async function read(response: Response): Promise<Exchange> {
  const text = await response.text();
  const serverTimeMs = readServerTime(response.headers.get('x-server-time') ?? undefined);
  const answer = {
    kind: 'answer' as const,
    status: response.status,
    ...(serverTimeMs !== undefined && { serverTimeMs }),
  };
  let body: unknown;
  try {
    body = text === '' ? undefined : readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A proxy has answered with a page. Without data and code the client treats the answer as unreadable.
    return answer;
  }
  if (response.ok) return { ...answer, data: body };
  const parsed = v.safeParse(errorBodySchema, body);
  return parsed.success ? { ...answer, error: parsed.output.error } : answer;
}

/** The query of a GET call, whose request is flat by the contract. Absent values are left out. */
function queryOf(request: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request ?? {})) {
    if (value !== undefined && value !== null)
      query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
