/** A client of the operator API: every call as a typed method. */
import { CashierApiError, CashierUnavailableError } from './errors.ts';
import { endpoints, type OperatorApi } from './generated/operator-api.ts';

export interface OperatorClientOptions {
  /** Where the cashier lives, such as `https://pay.example.com`. */
  readonly cashierUrl: string;
  /** `sk_…`. It stays on your backend: a browser must never see it. */
  readonly operatorKey: string;
  /** How long one attempt may take, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call without an answer is repeated; default 2. A repeat is safe: the cashier carries out each key of a request once. It
   * follows a lost connection, a time-out, and the statuses 429, 502, 503 and 504.
   */
  readonly repeats?: number | undefined;
  /** Sends the requests; default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits before a repeat; default: by a timer. For tests. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** Of one call. */
export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  /** Ends the call. Its outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

export type OperatorClient = OperatorApi<CallOptions>;

interface EndpointShape {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly hasBody?: boolean;
}

const defaultTimeoutMs = 10_000;
const firstPauseMs = 200;
const longestPauseMs = 5_000;
const worthRepeating = new Set([429, 502, 503, 504]);

/**
 * Creates a client.
 *
 * Its methods reject with a `CashierApiError` for an answer that is an error, and with a `CashierUnavailableError` without an answer.
 *
 * @throws TypeError for an impossible address or an empty key
 */
export function createOperatorClient(options: OperatorClientOptions): OperatorClient {
  const { cashierUrl, operatorKey } = options;
  const { protocol } = new URL(cashierUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('cashierUrl must begin with https://');
  if (!operatorKey) throw new TypeError('operatorKey is empty. Is the variable set?');
  const methods = Object.entries<EndpointShape>(endpoints).map(([name, endpoint]) => [
    name,
    (request: Readonly<Record<string, unknown>> = {}, call: CallOptions = {}) =>
      carryOut(options, requestOf(options, endpoint, request), call),
  ]);
  return Object.fromEntries(methods) as OperatorClient;
}

interface PlannedRequest {
  readonly address: string;
  readonly init: RequestInit;
}

function requestOf(
  { cashierUrl, operatorKey }: OperatorClientOptions,
  { method, path, query = [], hasBody = false }: EndpointShape,
  request: Readonly<Record<string, unknown>>,
): PlannedRequest {
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = request[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text.`);
    inPath.add(name);
    return encodeURIComponent(value);
  });
  const asked = new URLSearchParams();
  for (const name of query) if (request[name] !== undefined) asked.set(name, String(request[name]));
  const rest = Object.entries(request).filter(([name]) => !inPath.has(name) && !query.includes(name));
  const address = `${cashierUrl.replace(/\/+$/, '')}${filled}${asked.size > 0 ? `?${asked}` : ''}`;
  const headers = { authorization: `Bearer ${operatorKey}`, accept: 'application/json' };
  // The key goes to this address and to no other.
  const shared = { method, redirect: 'error' } as const;
  if (!hasBody) return { address, init: { ...shared, headers } };
  return {
    address,
    init: {
      ...shared,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(rest)),
    },
  };
}

async function carryOut(
  options: OperatorClientOptions,
  request: PlannedRequest,
  { timeoutMs = options.timeoutMs ?? defaultTimeoutMs, signal }: CallOptions,
): Promise<unknown> {
  const { repeats = 2, pause = waitFor } = options;
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptOnce(options.fetch ?? globalThis.fetch, request, timeoutMs, signal);
    if (!(result instanceof Error)) return result.body;
    const isApiError = result instanceof CashierApiError;
    const mayRepeat = !signal?.aborted && (!isApiError || worthRepeating.has(result.status));
    if (attempt >= repeats || !mayRepeat) throw result;
    const wanted = isApiError && result.retryAfterSeconds !== undefined ? result.retryAfterSeconds * 1000 : 0;
    // Who asks for a longer pause gets the decision back.
    if (wanted > longestPauseMs) throw result;
    await pause(Math.max(wanted, firstPauseMs * 2 ** attempt));
  }
}

async function attemptOnce(
  send: typeof globalThis.fetch,
  { address, init }: PlannedRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly body: unknown } | CashierApiError | CashierUnavailableError> {
  const limit = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await send(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    text = await response.text();
  } catch (cause) {
    const why = limit.aborted
      ? `The cashier did not answer within ${timeoutMs} ms.`
      : 'The cashier could not be reached.';
    return new CashierUnavailableError(why, { cause });
  }
  const body = parsed(text);
  if (response.ok && body !== undefined) return { body };
  return errorOf(response, body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy between here and the cashier may answer with a page. The status says the rest.
    return undefined;
  }
}

function errorOf({ status, headers }: Response, body: unknown): CashierApiError {
  const { error } = (body ?? {}) as { readonly error?: Readonly<Record<string, unknown>> };
  if (typeof error?.['code'] !== 'string') {
    return new CashierApiError(status < 400 ? 502 : status, 'unreadable', `The answer ${status} is not the cashier's.`);
  }
  const seconds = Number(error['retryAfterSeconds'] ?? headers.get('retry-after') ?? Number.NaN);
  const message = typeof error['message'] === 'string' ? error['message'] : error['code'];
  return new CashierApiError(status, error['code'], message, {
    ...(Array.isArray(error['fields']) && { fields: error['fields'] }),
    ...(typeof error['params'] === 'object' && { params: error['params'] as Readonly<Record<string, unknown>> }),
    reference: typeof error['reference'] === 'string' ? error['reference'] : undefined,
    docs: typeof error['docs'] === 'string' ? error['docs'] : undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  });
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
