/** The failure of a rule. The domain and the application throw it when a request cannot be carried out. */
import type { ErrorCode } from '@opencashier/contract/api';

export interface ErrorDetails {
  readonly fields?: { path: string; message: string }[];
  readonly params?: Record<string, string>;
  readonly retryAfterSeconds?: number;
}

/** The transports convert it into the wire form (dispatch/api-error.ts). Any other thrown error is a bug of ours. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
