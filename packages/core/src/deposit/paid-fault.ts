/** What it means when "I have paid" was not answered with success (DEP-5, DEP-11). */
import type { CallFailure } from './create-failure.ts';

export type PaidFault =
  /** The server may know it or not. The user must not pay again, and may press again, because a repeat credits nothing. */
  | { readonly kind: 'unanswered' }
  /** The deposit has changed or is not known. Its status says more. */
  | { readonly kind: 'changed' }
  /** The server refused the report, so it does not know that the user has paid. */
  | { readonly kind: 'refused'; readonly code: string };

const changedCodes: ReadonlySet<string> = new Set(['not-found', 'state-conflict']);

/** What a failed `deposit-complete` means. Any failure that is no refusal by the server leaves the outcome open. */
export function paidFaultOf({ status, code }: CallFailure): PaidFault {
  if (status === undefined || status >= 500 || code === undefined) return { kind: 'unanswered' };
  return changedCodes.has(code) ? { kind: 'changed' } : { kind: 'refused', code };
}
