/** A failed call to a provider, as deposits and withdrawals keep it, and how long they wait for an answer. */
import type { ErrorCode } from '@opencashier/contract/api';
import { DomainError } from '../errors/domain-error.ts';

/** Below the 20 s of a socket call and the 30 s of a request group, so that the person gets our own words. ms. */
export const PROVIDER_TIMEOUT_MS = 15_000;
/** How long a row counts as busy: the timeout and time to store the answer. A node that dies frees the row after it. */
export const BUSY_S = 20;

/** A failure that a replay of the create call answers again. */
export interface StoredFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly params?: Readonly<Record<string, string>>;
}

export function errorOf(failure: StoredFailure): DomainError {
  return new DomainError(failure.code, failure.message, failure.params && { params: { ...failure.params } });
}
