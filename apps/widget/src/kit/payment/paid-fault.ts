/** What it means when "I have paid" was not answered with success (DEP-5, DEP-11). */
import { ClientError } from '../../api/client.ts';
import type { Texts } from '../session/services.tsx';

export type PaidFault =
  /** The server may know it or not. The user must not pay again, and may press again, because a repeat credits nothing. */
  | { readonly kind: 'unanswered' }
  /** The deposit has changed or is not known. Its status says more. */
  | { readonly kind: 'changed' }
  /** The server refused the report, so it does not know that the user has paid. */
  | { readonly kind: 'refused'; readonly code: string };

const changedCodes: ReadonlySet<string> = new Set(['not-found', 'state-conflict']);

/** What a failed `deposit-complete` means. Any error that is no refusal by the server leaves the outcome open. */
export function paidFaultOf(error: unknown): PaidFault {
  if (!(error instanceof ClientError) || error.kind !== 'refused' || error.status >= 500) return { kind: 'unanswered' };
  return changedCodes.has(error.code) ? { kind: 'changed' } : { kind: 'refused', code: error.code };
}

/** Refusals whose text says nothing about a charge, because the user may have paid already. */
const ownTexts: ReadonlySet<string> = new Set(['unauthorized', 'token-expired', 'rate-limited', 'invalid-request']);

/** What the user reads after a refusal. It never says that nothing was charged. */
export function paidRefusalText(code: string, { translate }: Pick<Texts, 'translate'>): string {
  if (code === 'banking.paymentMethodRegex') return translate('field.refused');
  return translate(ownTexts.has(code) ? `common.errors.${code}` : 'complete.lost.text');
}
