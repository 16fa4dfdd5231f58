/** Errors as they cross the wire: one list, so that every code has a status, a meaning and a place in the reference. */
import * as v from 'valibot';
import { durationSchema } from './scalar.ts';

/**
 * Every error code with its HTTP status (which is also the `status` of a socket acknowledgement) and what it means to the
 * caller. Codes with a dot or an underscore are the specification's own (§8); the others are ours.
 */
export const errorCodes = {
  'invalid-request': {
    status: 400,
    meaning: 'The body does not have the documented shape; `fields` names the places.',
  },
  unauthorized: { status: 401, meaning: 'No user token, or one that does not verify.' },
  'token-expired': { status: 401, meaning: 'The user token has expired; ask the host for a fresh one (HOST-11).' },
  'forbidden-origin': {
    status: 403,
    meaning: 'The request comes from an origin that the operator has not registered.',
  },
  'not-found': { status: 404, meaning: 'No such thing, or not one of this user.' },
  'method-not-allowed': { status: 405, meaning: 'The call exists under another HTTP method.' },
  'in-flight': { status: 409, meaning: 'The same key is being worked on; ask for the status, do not pay again.' },
  'state-conflict': { status: 409, meaning: 'The payment has moved on and no longer allows this.' },
  'request-too-large': { status: 413, meaning: 'The body or frame is over the limit.' },
  'idempotency-conflict': { status: 422, meaning: 'The key was used before with another body.' },
  'limit-min': { status: 422, meaning: 'The amount is below the minimum; `params.min` names it.' },
  'limit-max': { status: 422, meaning: 'The amount is above the maximum; `params.max` names it.' },
  'method-unavailable': { status: 422, meaning: 'The payment method is not offered to this user, region or currency.' },
  'insufficient-funds': { status: 422, meaning: 'The balance does not cover the amount.' },
  'bonus-expired': { status: 422, meaning: 'The chosen bonus has ended; the user must be asked again (BON-2).' },
  'banking.paymentMethodRegex': {
    status: 422,
    meaning: 'A field of the payment method does not pass its rule; `fields` names it.',
  },
  'code-wrong': {
    status: 422,
    meaning: 'Not the code of this withdrawal; `params.attemptsLeft` says how often it can still be tried.',
  },
  'code-expired': { status: 422, meaning: 'The code is too old; ask for a new one by `withdrawal-code-send`.' },
  'code-attempts': {
    status: 422,
    meaning: 'Too many wrong codes: the withdrawal has ended and the held amount is back.',
  },
  'banking.merchantClientError': {
    status: 422,
    meaning: 'The provider refused for a reason meant for the user: show `message`.',
  },
  'box-sold-out': {
    status: 422,
    meaning: 'The coin box is sold out; show the boxes again (SWP-1). Nothing was charged.',
  },
  'box-changed': {
    status: 422,
    meaning: 'The coin box is no longer what was on screen; `params` name its price and coins now (SWP-1).',
  },
  'playthrough-required': {
    status: 422,
    meaning:
      'A part of the coins is unplayed; `params.max` is what can be redeemed, `params.unplayed` the rest (SWP-2).',
  },
  'rate-stale': {
    status: 422,
    meaning:
      'The rate on screen is over; `params` carry a fresh quote to show and agree to, or none while no rate can be had (SWP-2).',
  },
  captcha_required: { status: 428, meaning: 'Run the captcha and repeat once with the same key.' },
  'rate-limited': { status: 429, meaning: 'Too many requests; `retryAfterSeconds` says when to come back.' },
  internal: { status: 500, meaning: 'A fault of ours; `reference` finds it in the logs.' },
  'not-implemented': { status: 501, meaning: 'The call is defined but this server does not answer it yet.' },
  'provider-error': {
    status: 502,
    meaning:
      'The provider answered with an error: nothing was charged. `params.declineCause` says why, where it is one of the causes of `deposit-status`.',
  },
  'unknown-outcome': {
    status: 503,
    meaning: 'It is not known whether the provider took the payment. It is being checked; do not pay again.',
  },
  'temporarily-unavailable': { status: 503, meaning: 'The server cannot work just now; nothing was charged.' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Errors that any call may answer. */
export const generalErrors = [
  'invalid-request',
  'unauthorized',
  'token-expired',
  'forbidden-origin',
  'method-not-allowed',
  'request-too-large',
  'rate-limited',
  'internal',
  'not-implemented',
  'temporarily-unavailable',
] as const satisfies readonly ErrorCode[];

/**
 * The body of every failed answer. `code` is one of {@link errorCodes}, but a client must bear a code it does not know.
 * `message` is English, for logs; the widget translates by code, except `banking.merchantClientError` (ERR-4).
 */
export const callErrorSchema = v.object({
  code: v.string(),
  message: v.string(),
  /** Which field of the request, by its path (`fields.phone`), and what is wrong with it. */
  fields: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  /** Values for the translated text, such as `{ min: '500.00' }`. */
  params: v.optional(v.record(v.string(), v.string())),
  retryAfterSeconds: durationSchema,
  /** The support code under which the server logged this. */
  reference: v.optional(v.string()),
});
export type CallError = v.InferOutput<typeof callErrorSchema>;

/** A failed HTTP answer. */
export const errorBodySchema = v.object({ error: callErrorSchema });

/** What a socket call is acknowledged with (NET-3): `data` on success (see {@link isSuccessStatus}), else `error`. */
export const acknowledgementSchema = v.object({
  status: v.number(),
  data: v.optional(v.unknown()),
  error: v.optional(callErrorSchema),
  /** The server's clock, ms since epoch; on HTTP the header `x-server-time`. */
  serverTime: v.optional(v.number()),
});
export type Acknowledgement = v.InferOutput<typeof acknowledgementSchema>;

/** ERR-1: on HTTP 2xx is success; on the socket also below 100 and above 600. Anything that is not a number is a failure. */
export function isSuccessStatus(status: unknown, transport: 'http' | 'socket'): boolean {
  if (typeof status !== 'number' || !Number.isFinite(status)) return false;
  if (status >= 200 && status <= 299) return true;
  return transport === 'socket' && (status < 100 || status > 600);
}
