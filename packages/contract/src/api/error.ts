/** Errors on the wire in one list. Every code has a status, a meaning and a place in the reference. */
import * as v from 'valibot';
import { durationSchema } from './scalar.ts';

/**
 * Every error code with its HTTP status, which is also the `status` of a socket acknowledgement, and its meaning.
 * Codes with a dot or an underscore come from the specification (§8); the others are our own.
 */
export const errorCodes = {
  'invalid-request': {
    status: 400,
    meaning: 'The body does not have the documented shape; `fields` names the places.',
  },
  unauthorized: { status: 401, meaning: 'The user token is missing or cannot be verified.' },
  'token-expired': { status: 401, meaning: 'The user token has expired; ask the host for a fresh one (HOST-11).' },
  'forbidden-origin': {
    status: 403,
    meaning: 'The request comes from an origin that the operator has not registered.',
  },
  'not-found': { status: 404, meaning: 'The object does not exist, or belongs to another user.' },
  'method-not-allowed': { status: 405, meaning: 'The call exists under another HTTP method.' },
  'in-flight': {
    status: 409,
    meaning: 'Another call with the same idempotency key is in progress. Ask for the status; do not pay again.',
  },
  'state-conflict': { status: 409, meaning: 'The payment has changed its state and no longer allows this call.' },
  'request-too-large': { status: 413, meaning: 'The body or frame exceeds the size limit.' },
  'idempotency-conflict': { status: 422, meaning: 'The idempotency key was used before with another body.' },
  'limit-min': { status: 422, meaning: 'The amount is below the minimum; `params.min` names it.' },
  'limit-max': { status: 422, meaning: 'The amount is above the maximum; `params.max` names it.' },
  'method-unavailable': {
    status: 422,
    meaning: 'The payment method is not offered to this user, in this region or currency.',
  },
  'insufficient-funds': { status: 422, meaning: 'The balance does not cover the amount.' },
  'bonus-expired': { status: 422, meaning: 'The chosen bonus has ended; the user must be asked again (BON-2).' },
  'banking.paymentMethodRegex': {
    status: 422,
    meaning: 'The value of a field breaks a rule of the payment method; `fields` names the field.',
  },
  'code-wrong': {
    status: 422,
    meaning: 'The confirmation code is wrong; `params.attemptsLeft` is the number of attempts left.',
  },
  'code-expired': {
    status: 422,
    meaning: 'The confirmation code has expired. Request a new code with `withdrawal-code-send`.',
  },
  'code-attempts': {
    status: 422,
    meaning: 'Too many wrong codes. The withdrawal has ended and the hold is released.',
  },
  'banking.merchantClientError': {
    status: 422,
    meaning: 'The provider or the operator refused, with a reason for the user: show `message`.',
  },
  'box-sold-out': {
    status: 422,
    meaning: 'The coin box is sold out; show the boxes again (SWP-1). Nothing was charged.',
  },
  'box-changed': {
    status: 422,
    meaning: 'The coin box has changed since it was shown; `params` contain its current price and coins (SWP-1).',
  },
  'playthrough-required': {
    status: 422,
    meaning:
      'Some coins are unplayed; `params.max` is the redeemable amount, `params.unplayed` the unplayed amount (SWP-2).',
  },
  'rate-stale': {
    status: 422,
    meaning:
      'The rate on the screen has expired; `params` contain a new quote to show and accept, or none while there is no rate (SWP-2).',
  },
  'payee-close-match': {
    status: 422,
    meaning:
      'The bank knows the account under a nearly equal name, which is `params.name`. The user chooses between the two (WD-2).',
  },
  captcha_required: { status: 428, meaning: 'Run the captcha and repeat once with the same idempotency key.' },
  'rate-limited': { status: 429, meaning: 'Too many requests; `retryAfterSeconds` says when to try again.' },
  internal: { status: 500, meaning: 'An internal error of the server; `reference` finds it in the logs.' },
  'not-implemented': { status: 501, meaning: 'The call is defined, but this server does not implement it yet.' },
  'provider-error': {
    status: 502,
    meaning:
      'The provider answered with an error: nothing was charged. `params.declineCause` has the cause, if it is one of the causes of `deposit-status`.',
  },
  'unknown-outcome': {
    status: 503,
    meaning: 'The outcome at the provider is unknown and is being checked. Do not pay again.',
  },
  'temporarily-unavailable': { status: 503, meaning: 'The server is temporarily unavailable; nothing was charged.' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Errors that any call may return. */
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
 * The body of every error response. `code` is one of {@link errorCodes}, but a client must accept an unknown code.
 * `message` is English, for logs. The widget translates by code, except `banking.merchantClientError` (ERR-4).
 */
export const callErrorSchema = v.object({
  /**
   * The code of the error; see docs/errors. A later version may add codes: treat an unknown code by its HTTP status. @values errorCodes
   * @example "limit-min"
   */
  code: v.string(),
  /** What went wrong, in English, for logs. @example "The amount is below the minimum." */
  message: v.string(),
  /** The field of the request by its path (`fields.phone`), and the reason of the refusal. */
  fields: v.optional(
    v.array(
      v.object({
        /** The field of the request by its path. @example "fields.phone" */
        path: v.string(),
        /** What is wrong with the field, and what is allowed. @example "This field is required." */
        message: v.string(),
      }),
    ),
  ),
  /** Values for the translated text, such as `{ min: '500.00' }`. @example {"min": "500.00"} */
  params: v.optional(v.record(v.string(), v.string())),
  /** How many seconds to wait before the request is sent again. @example 5 */
  retryAfterSeconds: durationSchema,
  /** The support code under which the server logged the error. @example "6e1f0c7a" */
  reference: v.optional(v.string()),
  /** The page about this code: what happened, what to do, and whether a repeat helps. @example "https://opencashier.github.io/opencashier/errors/#limit-min" */
  docs: v.optional(v.string()),
});
export type CallError = v.InferOutput<typeof callErrorSchema>;

/** The HTTP body of an error. */
export const errorBodySchema = v.object({
  /** What went wrong. */
  error: callErrorSchema,
});

/** The acknowledgement of a socket call (NET-3): `data` on success (see {@link isSuccessStatus}), otherwise `error`. */
export const acknowledgementSchema = v.object({
  /** The HTTP status of the same answer. @example 200 */
  status: v.number(),
  /** The response of the call. Present on success. @example {} */
  data: v.optional(v.unknown()),
  /** What went wrong. Present on failure. */
  error: v.optional(callErrorSchema),
  /** The server's clock in ms since the epoch; on HTTP the header `x-server-time`. @example 1769854500000 */
  serverTime: v.optional(v.number()),
});
export type Acknowledgement = v.InferOutput<typeof acknowledgementSchema>;

/**
 * ERR-1: on HTTP 2xx is success. On the socket, numbers below 100 and above 600 are success, too. A non-number is a failure.
 */
export function isSuccessStatus(status: unknown, transport: 'http' | 'socket'): boolean {
  if (typeof status !== 'number' || !Number.isFinite(status)) return false;
  if (status >= 200 && status <= 299) return true;
  return transport === 'socket' && (status < 100 || status > 600);
}
