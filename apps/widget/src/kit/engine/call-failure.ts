import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import { ClientError } from '../../api/client.ts';

/** An engine passes a failure on unchanged. So the failure object itself is the key to the error behind it. */
const causes = new WeakMap<CallFailure, unknown>();

/**
 * A failed call as the engines read it.
 * @param isRepeat an earlier create under the same key may have reached the server, even if this one never left the device
 */
export function callFailureOf(error: unknown, isRepeat?: boolean): CallFailure {
  const failure = failureOf(error, isRepeat);
  causes.set(failure, error);
  return failure;
}

/** The error behind a failure; undefined for a failure that an engine made itself. */
export const causeOf = (failure: CallFailure): unknown => causes.get(failure);

function failureOf(error: unknown, isRepeat: boolean | undefined): CallFailure {
  if (!(error instanceof ClientError)) return { message: error instanceof Error ? error.message : undefined };
  const { kind, status, code, message, params, reference } = error;
  const isUnsent = kind === 'network' && !isRepeat;
  // Without an answer there is no status: the outcome is not known.
  return { status: kind === 'refused' ? status : undefined, code, message, params, reference, isUnsent };
}
