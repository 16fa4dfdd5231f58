/** Who may connect a socket, and as whom (NET-3, NET-4). */
import type { IncomingMessage } from 'node:http';
import { type CallContext, handshakeAuthSchema, handshakeQuerySchema } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { ApiError, errorAnswer } from '../dispatch/api-error.ts';
import type { Outcome } from '../dispatch/dispatch.ts';
import { forbiddenOrigin, newRequestId } from '../http/http.ts';
import type { OriginCheck } from '../http/origin-check.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Identify, Identity } from '../operators/identity.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { acknowledgementOf, type CashierSocket, roomOf } from './cashier-socket.ts';

/** A widget connects once, and again after a drop, and a user has a few tabs. Many users may share an address. */
const connectsPerMinute = { user: 30, anonymous: 120 };

/** Whether the page that asks for a web socket comes from an origin that its operator has registered. */
export async function mayConnect(request: IncomingMessage, isOriginAllowed: OriginCheck): Promise<boolean> {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  const context = { partnerKey: partnerKeyOf(request) };
  return isOriginAllowed({ origin, host, identity: { kind: 'anonymous' }, context });
}

/** The operator's public key, as the address of the web socket has it. */
export function partnerKeyOf({ url }: IncomingMessage): string {
  return new URLSearchParams(url?.split('?')[1] ?? '').get('partnerKey') ?? '';
}

/** What decides about a new socket. */
export interface Admission {
  readonly identify: Identify;
  readonly isOriginAllowed: OriginCheck;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** The address of the documentation, to which a refusal links. */
  readonly documentation: string;
}

/**
 * Identifies the user and checks the limits. A bad or expired token does not refuse the socket. Every call on it is answered 401
 * instead, which the widget understands (HOST-11); a refused connection would look like a network fault.
 * @returns the error that refuses the connection, or undefined when the socket may stay
 */
export async function admitSocket(socket: CashierSocket, options: Admission): Promise<Error | undefined> {
  const { identify, isOriginAllowed, limiter } = options;
  const query = v.safeParse(handshakeQuerySchema, socket.handshake.query);
  if (!query.success) return refusal(errorAnswer(invalidRequest(query.issues), newRequestId()), options);
  const auth = v.safeParse(handshakeAuthSchema, socket.handshake.auth);
  const identity: Identity = auth.success
    ? await identify(auth.output.token)
    : { kind: 'refused', code: 'unauthorized' };
  const context = contextOf(query.output);
  const { origin, host } = socket.handshake.headers;
  if (origin !== undefined && !(await isOriginAllowed({ origin, host, identity, context }))) {
    return refusal(forbiddenOrigin(newRequestId()), options);
  }
  const wait = await takeConnect(limiter, identity, socket.data.address);
  if (wait > 0) {
    const failure = new ApiError('rate-limited', 'Too many connections.', { retryAfterSeconds: wait });
    return refusal(errorAnswer(failure, newRequestId()), options);
  }
  socket.data.identity = identity;
  socket.data.context = context;
  return undefined;
}

function contextOf(query: v.InferOutput<typeof handshakeQuerySchema>): CallContext {
  const { partnerKey, userId, xorigin, Language, platform, isNative, pwa, isMobileApp } = query;
  return {
    partnerKey,
    userId,
    xOrigin: xorigin,
    language: Language,
    platform,
    isNative: isNative === 'true',
    pwa: pwa === 'true',
    isMobileApp: isMobileApp === 'true',
  };
}

/** Counts a connection of a user, or of an address without one. Answers the seconds to wait, 0 when it may connect. */
async function takeConnect(limiter: RateLimiter, identity: Identity, address: string): Promise<number> {
  if (identity.kind !== 'user') return limiter.take(`connect ${address}`, connectsPerMinute.anonymous, minuteMs);
  const { operatorId, userId } = identity.caller;
  return limiter.take(`connect ${roomOf(operatorId, userId)}`, connectsPerMinute.user, minuteMs);
}

/** The client finds `data` in its `connect_error`. */
export function refusal(outcome: Outcome, { clock, documentation }: Pick<Admission, 'clock' | 'documentation'>): Error {
  const error = 'error' in outcome ? outcome.error : undefined;
  return Object.assign(new Error(error?.message ?? 'refused'), {
    data: acknowledgementOf(outcome, clock.now(), documentation),
  });
}
