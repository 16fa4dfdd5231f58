/** One POST of a webhook, each part of it bounded in time. A redirect is an answer like any other. */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Clock } from '@opencashier/core/time/clock';
import { resolveNames } from './resolve-names.ts';
import { publicLookup } from './webhook-address.ts';

/** From the look-up of the name to the end of the TLS handshake. ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** The scheme allows 15 to 30 s from the first byte to the answer; a slower receiver is tried again. ms. */
export const ANSWER_TIMEOUT_MS = 15_000;
/** A receiver's thanks are read this far, so that the connection can serve the next webhook; then it is closed. */
const MOST_BODY_BYTES = 16 * 1024;
const BODY_WITHIN_MS = 1_000;
/** For so long a connection that nobody uses is kept. ms. */
const IDLE_MS = 4_000;

const pool = { keepAlive: true, maxFreeSockets: 32, timeout: IDLE_MS };
const agents = { 'http:': new PlainAgent(pool), 'https:': new SecureAgent(pool) };
/** Every connection goes to an address that was looked at. Apart from the others, whose connections must not be used again here. */
const guarded = { ...pool, lookup: publicLookup(resolveNames()) };
const guardedAgents = { 'http:': new PlainAgent(guarded), 'https:': new SecureAgent(guarded) };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether it may go to addresses of this network, as in the sandbox. */
  readonly allowInside: boolean;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Why a POST has no answer: `connect-timeout`, `timeout`, `aborted`, or the code of the network's error. */
export class PostError extends Error {
  override readonly name = 'PostError';

  readonly reason: string;

  constructor(reason: string) {
    super(`The webhook was not answered: ${reason}`);
    this.reason = reason;
  }
}

/**
 * @returns the status of the answer
 * @throws PostError
 */
export function postOnce(
  { url, headers, body, allowInside, signal }: Post,
  clock: Pick<Clock, 'setTimer'>,
): Promise<number> {
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
    const cancelConnect = clock.setTimer(() => giveUp('connect-timeout'), CONNECT_TIMEOUT_MS);
    const cancelAnswer = clock.setTimer(() => giveUp('timeout'), ANSWER_TIMEOUT_MS);
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
      dismiss(response, clock);
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error) => {
      settle();
      reject(error instanceof PostError ? error : new PostError(reasonOf(error)));
    });
    if (signal.aborted) abort();
    else request.end(body);
  });
}

/** Reads a short body to its end, unlooked at, and closes the connection of a long or slow one. */
function dismiss(response: IncomingMessage, clock: Pick<Clock, 'setTimer'>): void {
  let bytes = 0;
  const cancel = clock.setTimer(() => response.destroy(), BODY_WITHIN_MS);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  // The answer counts already; a body that breaks off takes nothing from it.
  response.on('error', () => undefined);
  response.on('close', cancel);
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
