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

/** The most fields that an error names. More of them have one cause. */
export const mostFields = 20;

/** The error of a request whose fields break rules. It names the first of them. */
export function invalidFields(message: string, fields: readonly { path: string; message: string }[]): DomainError {
  return new DomainError('invalid-request', message, { fields: fields.slice(0, mostFields) });
}
