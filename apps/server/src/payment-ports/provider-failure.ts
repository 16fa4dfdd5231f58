/** Stored failures of calls to a provider, and the time limits of such calls. */
import type { ErrorCode } from '@opencashier/contract/api';
import { DomainError } from '../errors/domain-error.ts';

/**
 * Time limit of a provider call in ms. The user gets our error message before a socket call (20 s) or a request group
 * (30 s) times out.
 */
export const PROVIDER_TIMEOUT_MS = 15_000;
/**
 * Seconds for which a row counts as busy: the time limit, and time to store the answer. When a node dies, the row is
 * free after this time.
 */
export const BUSY_S = 20;

/** A failure that a retry of the create call returns again. */
export interface StoredFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** The stored failure as an error to throw. */
export function errorOf(failure: StoredFailure): DomainError {
  return new DomainError(failure.code, failure.message, failure.params && { params: { ...failure.params } });
}
