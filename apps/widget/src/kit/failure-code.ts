import { CallFailed } from '../api/client.ts';

/** The contract's code of a failed call; undefined for any other fault. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.code : undefined;
}
