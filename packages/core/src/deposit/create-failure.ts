import { ERROR_KEY_PREFIX } from './error-key.ts';

/** A failed create or prepare call, as the transport reports it. */
export interface CallFailure {
  /** Status of the answer; undefined when there was none (network, time-out). */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** The server's English text: for logs, and shown only for `banking.merchantClientError`. */
  readonly message?: string | undefined;
  /** Certain that the call never left this device. */
  readonly isUnsent?: boolean | undefined;
  /** Values of the answer, such as `declineCause`. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The support code under which the server logged the fault. */
  readonly reference?: string | undefined;
}

/**
 * What a failed create call means for the money: `unsent`, it never left; `refused`, nothing was taken; `captcha`, run the
 * captcha and repeat; `unknown`, the payment may exist and the user must not pay again.
 */
export type FailureMeaning = 'unsent' | 'refused' | 'captcha' | 'unknown';

/** Codes by which the server says that it does not know, or that another call is at work under the same key. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(['unknown-outcome', 'in-flight', 'state-conflict', 'internal']);

/** Codes of server faults that promise that nothing was charged. */
const NOTHING_CHARGED_CODES: ReadonlySet<string> = new Set([
  'provider-error',
  'temporarily-unavailable',
  'not-implemented',
]);

/**
 * What a failed create call means (DEP-7, DEP-16). No answer at all, and any server fault that does not promise that nothing
 * was charged, is unknown: never "failed".
 */
export function meaningOfFailure({ status, code, isUnsent }: CallFailure): FailureMeaning {
  if (isUnsent === true) return 'unsent';
  if (code === 'captcha_required') return 'captcha';
  // Without a certain answer a code is only what one of several tries was told.
  if (status === undefined) return 'unknown';
  if (code !== undefined && UNKNOWN_CODES.has(code)) return 'unknown';
  if (code !== undefined && NOTHING_CHARGED_CODES.has(code)) return 'refused';
  return status >= 400 && status <= 499 ? 'refused' : 'unknown';
}

/** Statuses that say "not now" or "not you", whatever was asked: a copy of the same call may be taken a moment later. */
const FOR_NOW_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);
/** Faults that the server has written down under the key: a copy of the call gets the same answer. */
const STORED_FAULTS: ReadonlySet<string> = new Set(['provider-error', 'not-implemented']);
/** The client's own code for an answer that is none of the contract's, such as a proxy's page. */
const WITHOUT_SHAPE = 'invalid-response';

/** Whether a copy of the refused call that is still on its way would be refused in the same way. */
export function isLastingRefusal({ status, code }: CallFailure): boolean {
  if (status === undefined || code === undefined || code === WITHOUT_SHAPE) return false;
  if (STORED_FAULTS.has(code)) return true;
  return status >= 400 && status <= 499 && !FOR_NOW_STATUSES.has(status);
}

/** A text to show: a key of the locale file, or the server's own words, which are to be shown as plain text. */
export type ErrorText =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string };

/** Locale keys of the deposit's errors. */
export const PROVIDER_ERROR_KEY = 'common.errors.provider';
export const HTTP_ERROR_KEY_PREFIX = 'common.errors.http.';

/**
 * Which text a deposit error shows (ERR-4), by the precedence of section 8: a text of its HTTP status; the server's message
 * for `banking.merchantClientError`; the text of its code, except `banking.paymentMethodRegex`; the provider error.
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
