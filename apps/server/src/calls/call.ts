/** How a call of the contract is answered: one file per call exports one {@link CallHandler}; `dispatch` runs them all. */
import {
  type CallContext,
  type CallDefinition,
  type ErrorCode,
  errorCodes,
  type ParsedRequestOf,
  type ResponseOf,
} from '@opencashier/contract/api';
import type { Caller } from './caller.ts';
import type { Services } from './services.ts';

/** Everything about this one request that is not in its body. */
export interface CallScope {
  /** Present on calls with `auth: 'user'`; a call with `auth: 'none'` sees `undefined` where there was no token. */
  readonly caller: Caller;
  readonly context: CallContext;
  /** Aborted when the time is up, and on a call that only reads also when the caller went away. */
  readonly signal: AbortSignal;
  /** Correlates log lines and the `reference` of an error. */
  readonly requestId: string;
}

export interface CallHandler<Call extends CallDefinition = CallDefinition> {
  readonly call: Call;
  handle(request: ParsedRequestOf<Call>, scope: CallScope, services: Services): Promise<ResponseOf<Call>>;
}

/** Ties a handler to its call, so that request and answer are typed by the contract. */
export function answer<Call extends CallDefinition>(
  call: Call,
  handle: CallHandler<Call>['handle'],
): CallHandler<Call> {
  return { call, handle };
}

/** A failure with a code of the contract; `dispatch` turns it into the wire form. Anything else thrown is `internal`. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly code: ErrorCode;
  readonly details: {
    readonly fields?: { path: string; message: string }[];
    readonly params?: Record<string, string>;
    readonly retryAfterSeconds?: number;
  };

  constructor(code: ErrorCode, message: string, details: CallFailure['details'] = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** For pages that have words of their own. */
  get statusCode(): number {
    return errorCodes[this.code].status;
  }
}
