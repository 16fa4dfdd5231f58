/** Why a call to the cashier has no answer. */

export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** A call that failed. `outcomeUnknown` says whether the cashier may have carried it out. */
export abstract class CashierError extends Error {
  /**
   * True: nobody knows whether the call was carried out. Call again with the same keys (`transferId`, `refundId`, `decisionId` …): the
   * cashier carries each out once. Never tell a user that a payment has failed.
   */
  abstract readonly outcomeUnknown: boolean;
}

/** What an answer says about a failed call. */
export interface ApiErrorDetails {
  /** Which fields of the request are wrong. */
  readonly fields?: readonly FieldProblem[];
  /** Values that belong to the code, such as `max`. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Finds the failure in the cashier's log. */
  readonly reference?: string | undefined;
  /** The address of the page about the code. */
  readonly docs?: string | undefined;
  /** How long to wait before the next call, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The cashier answered with an error. `message` names each wrong field, so a log of it is enough to find the mistake. */
export class CashierApiError extends CashierError {
  override readonly name = 'CashierApiError';
  readonly outcomeUnknown: boolean;
  /** HTTP status. */
  readonly status: number;
  /** Stable, such as `insufficient-funds`; `unreadable` when the answer is not the cashier's. */
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly reference: string | undefined;
  /** The address of the page about the code: what happened, what to do, and whether a repeat helps. */
  readonly docs: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, details: ApiErrorDetails = {}) {
    super([message, ...(details.fields ?? []).map((field) => `${field.path}: ${field.message}`)].join(' '));
    this.status = status;
    this.code = code;
    this.outcomeUnknown = status >= 500;
    this.fields = details.fields ?? [];
    this.params = details.params ?? {};
    this.reference = details.reference;
    this.docs = details.docs;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The cashier did not answer in time, or could not be reached. */
export class CashierUnavailableError extends CashierError {
  override readonly name = 'CashierUnavailableError';
  readonly outcomeUnknown = true;
}
