/** Failures as the API sends them. Every transport maps its errors here. */
import { type CallError, type ErrorCode, errorCodes } from '@opencashier/contract/api';
import { errorPage } from '@opencashier/contract/documentation';
import { DomainError, type ErrorDetails } from '../errors/domain-error.ts';
import { isOutage } from './outage.ts';

/** A failure with its HTTP status. A transport throws it when it refuses a request by itself. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** Fastify reads it on pages that have an error handler of their own. */
  get statusCode(): number {
    return errorCodes[this.code].status;
  }
}

/** The same status and body for an HTTP answer and for the acknowledgement of a socket message. */
export interface ErrorAnswer {
  readonly status: number;
  readonly error: CallError;
}

/** The wire form of any error: a code of the contract. The message of an unforeseen error never leaves the server. */
export function errorAnswer(error: unknown, reference: string): ErrorAnswer {
  const { statusCode, code, message, details } = apiErrorOf(error);
  return { status: statusCode, error: { code, message, ...details, reference } };
}

/**
 * The error of an answer, with the page about its code. Every transport sends this.
 *
 * @param documentation the address of the documentation, without a slash at its end
 */
export function withErrorPage({ error }: ErrorAnswer, documentation: string): CallError {
  return { ...error, docs: errorPage(error.code as ErrorCode, documentation) };
}

/** The API error for any error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) return new ApiError(error.code, error.message, error.details, { cause: error });
  return isOutage(error)
    ? new ApiError(
        'temporarily-unavailable',
        'The server is temporarily unavailable. Nothing was charged. Try again.',
        { retryAfterSeconds: 5 },
      )
    : new ApiError('internal', 'An internal error. The server logged it under `reference`.');
}
