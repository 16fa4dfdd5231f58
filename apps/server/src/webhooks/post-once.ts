/** One POST to an operator, with a time limit for each part. A redirect counts as an answer and is not followed. */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Clock } from '@opencashier/core/time/clock';
import { resolveNames } from './resolve-names.ts';
import { publicLookup } from './webhook-address.ts';

/** The longest time from the DNS lookup to the end of the TLS handshake. ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Standard Webhooks recommends 15 to 30 s for an answer. A slower receiver gets the webhook again later. ms. */
export const ANSWER_TIMEOUT_MS = 15_000;
/** A body up to this size is read, so that the connection can carry the next webhook. A longer body closes it. */
const MOST_BODY_BYTES = 16 * 1024;
const BODY_WITHIN_MS = 1_000;
/** An unused connection is kept open for this time. ms. */
const IDLE_MS = 4_000;

const pool = { keepAlive: true, maxFreeSockets: 32, timeout: IDLE_MS };
const agents = { 'http:': new PlainAgent(pool), 'https:': new SecureAgent(pool) };
/** These agents connect to public addresses only. They must not share connections with `agents`, which connect to any address. */
const guarded = { ...pool, lookup: publicLookup(resolveNames()) };
const guardedAgents = { 'http:': new PlainAgent(guarded), 'https:': new SecureAgent(guarded) };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether private addresses are allowed, as in the sandbox. */
  readonly allowInside: boolean;
  /** Aborts the request, for example when the node stops. */
  readonly signal: AbortSignal;
}

/** A POST without an answer. `reason` is `connect-timeout`, `timeout`, `aborted`, or the code of the network error. */
export class PostError extends Error {
  override readonly name = 'PostError';

  readonly reason: string;

  constructor(reason: string) {
    super(`The receiver did not answer: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Sends a webhook once.
 * @returns the HTTP status of the answer
 * @throws PostError
 */
export function postOnce(post: Post, clock: Pick<Clock, 'setTimer'>): Promise<number> {
  return send(post, clock, ANSWER_TIMEOUT_MS, (response, resolve) => {
    dismiss(response, clock);
    resolve(response.statusCode ?? 0);
  });
}

/** An answer with its body. */
export interface PostAnswer {
  readonly status: number;
  /** UTF-8; undefined: longer than allowed, or broken off. */
  readonly body: string | undefined;
}

/**
 * Sends a question once, and reads the answer.
 * @param limits.withinMs for the whole answer with its body
 * @param limits.mostBytes of the body; absent: {@link MOST_BODY_BYTES}
 * @throws PostError
 */
export function postQuestion(
  post: Post,
  clock: Pick<Clock, 'setTimer' | 'now'>,
  { withinMs, mostBytes = MOST_BODY_BYTES }: { readonly withinMs: number; readonly mostBytes?: number },
): Promise<PostAnswer> {
  const endsAt = clock.now() + withinMs;
  return send(post, clock, withinMs, (response, resolve) => {
    const cancel = clock.setTimer(() => response.destroy(), endsAt - clock.now());
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) response.destroy();
      else chunks.push(chunk);
    });
    // The body is then incomplete, which `close` reports.
    response.on('error', () => undefined);
    response.on('close', () => {
      cancel();
      const isWhole = response.complete && bytes <= mostBytes;
      const body = isWhole ? Buffer.concat(chunks).toString('utf8') : undefined;
      resolve({ status: response.statusCode ?? 0, body });
    });
  });
}

/** @param read gets the answer, whose headers have arrived */
function send<Answer>(
  { url, headers, body, allowInside, signal }: Post,
  clock: Pick<Clock, 'setTimer'>,
  withinMs: number,
  read: (response: IncomingMessage, resolve: (answer: Answer) => void) => void,
): Promise<Answer> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? secureRequest : plainRequest)(target, {
      method: 'POST',
      agent: (allowInside ? agents : guardedAgents)[isSecure ? 'https:' : 'http:'],
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const giveUp = (reason: string): void => {
      request.destroy(new PostError(reason));
    };
    const abort = (): void => giveUp('aborted');
    const cancelConnect = clock.setTimer(() => giveUp('connect-timeout'), Math.min(CONNECT_TIMEOUT_MS, withinMs));
    const cancelAnswer = clock.setTimer(() => giveUp('timeout'), withinMs);
    const settle = (): void => {
      cancelConnect();
      cancelAnswer();
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort, { once: true });
    request.on('socket', (socket) => {
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', cancelConnect);
      else cancelConnect();
    });
    request.on('response', (response) => {
      settle();
      read(response, resolve);
    });
    request.on('error', (error) => {
      settle();
      reject(error instanceof PostError ? error : new PostError(reasonOf(error)));
    });
    if (signal.aborted) abort();
    else request.end(body);
  });
}

/** Reads a short body and throws it away. Closes the connection if the body is long or slow. */
function dismiss(response: IncomingMessage, clock: Pick<Clock, 'setTimer'>): void {
  let bytes = 0;
  const cancel = clock.setTimer(() => response.destroy(), BODY_WITHIN_MS);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  // The status is already known, so an error in the body does not matter.
  response.on('error', () => undefined);
  response.on('close', cancel);
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
