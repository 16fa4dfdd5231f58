import { ERROR_KEY_PREFIX } from './error-key.ts';

/** A failed create or prepare call, as the transport reports it. */
export interface CallFailure {
  /** The HTTP status; undefined when no response arrived (network error, timeout). */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** The server's English text, for logs. The screen shows it only for `banking.merchantClientError`. */
  readonly message?: string | undefined;
  /** True when the call certainly never left this device. */
  readonly isUnsent?: boolean | undefined;
  /** Values of the response, such as `declineCause`. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The support code under which the server logged the error. */
  readonly reference?: string | undefined;
}

/**
 * What a failed create call means for the money.
 * `unsent`: the call never left the device. `refused`: no payment was created. `captcha`: solve the captcha and repeat.
 * `unknown`: the payment may exist, so the user must not pay again.
 */
export type FailureMeaning = 'unsent' | 'refused' | 'captcha' | 'unknown';

/** Error codes for an unknown outcome, or for another call in progress with the same idempotency key. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(['unknown-outcome', 'in-flight', 'state-conflict', 'internal']);

/** Codes of server errors that guarantee that nothing was charged. */
const NOTHING_CHARGED_CODES: ReadonlySet<string> = new Set([
  'provider-error',
  'temporarily-unavailable',
  'not-implemented',
]);

/**
 * What a failed create call means (DEP-7, DEP-16).
 * The outcome is unknown, never "failed", when no response arrived or a server error does not rule out a charge.
 */
export function meaningOfFailure({ status, code, isUnsent }: CallFailure): FailureMeaning {
  if (isUnsent === true) return 'unsent';
  if (code === 'captcha_required') return 'captcha';
  // Without a status, the code may belong to only one of several tries, so the outcome is unknown.
  if (status === undefined) return 'unknown';
  if (code !== undefined && UNKNOWN_CODES.has(code)) return 'unknown';
  if (code !== undefined && NOTHING_CHARGED_CODES.has(code)) return 'refused';
  return status >= 400 && status <= 499 ? 'refused' : 'unknown';
}

/** Statuses of a temporary refusal. A copy of the same call may succeed a moment later. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);
/** Errors that the server stores under the idempotency key. A copy of the call gets the same response. */
const STORED_ERRORS: ReadonlySet<string> = new Set(['provider-error', 'not-implemented']);
/** The client's own code for a response that does not match the contract, such as a proxy's error page. */
const INVALID_RESPONSE = 'invalid-response';

/** Whether the server would refuse a delayed copy of the refused call in the same way. */
export function isPermanentRefusal({ status, code }: CallFailure): boolean {
  if (status === undefined || code === undefined || code === INVALID_RESPONSE) return false;
  if (STORED_ERRORS.has(code)) return true;
  return status >= 400 && status <= 499 && !TEMPORARY_STATUSES.has(status);
}

/** An error text: a key of the locale file, or the server's message, which must be shown as plain text. */
export type ErrorText =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string };

/** Locale keys of the deposit's errors. */
export const PROVIDER_ERROR_KEY = 'common.errors.provider';
export const HTTP_ERROR_KEY_PREFIX = 'common.errors.http.';

/**
 * The text that the screen shows for a deposit error (ERR-4), by the precedence of section 8:
 * - the text of the HTTP status;
 * - the server's message for `banking.merchantClientError`;
 * - the text of the error code, except `banking.paymentMethodRegex`;
 * - the general provider error.
 *
 * @param isTranslated whether the locale file has a key
 */
export function depositErrorText(failure: CallFailure, isTranslated: (key: string) => boolean): ErrorText {
  const byStatus = `${HTTP_ERROR_KEY_PREFIX}${failure.status}`;
  if (failure.status !== undefined && isTranslated(byStatus)) return { kind: 'key', key: byStatus };
  if (failure.code === 'banking.merchantClientError') {
    return failure.message === undefined || failure.message.trim() === ''
      ? { kind: 'key', key: PROVIDER_ERROR_KEY }
      : { kind: 'text', text: failure.message };
  }
  const byCode = `${ERROR_KEY_PREFIX}${failure.code}`;
  const hasOwnText =
    failure.code !== undefined && failure.code !== 'banking.paymentMethodRegex' && isTranslated(byCode);
  return { kind: 'key', key: hasOwnText ? byCode : PROVIDER_ERROR_KEY };
}
