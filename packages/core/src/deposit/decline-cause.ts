/** The closed list of decline causes that a payer can act on (DEP-15). */
import { type DepositDeclineCause, depositDeclineCauses } from '@opencashier/contract/api';

const DECLINED = 'transaction.reason.declined';
const causes: ReadonlySet<string> = new Set(depositDeclineCauses);

/** Whether a word is a decline cause of the contract. */
export function isDeclineCause(word: string | undefined): word is DepositDeclineCause {
  return word !== undefined && causes.has(word);
}

/**
 * The reason stored with a declined deposit. A reason of the provider that is not on the list becomes the general reason.
 * Otherwise a hint at suspected fraud could reach the person who may commit the fraud.
 */
export function declineReason(word: string | undefined): string {
  return isDeclineCause(word) ? `${DECLINED}.${word}` : DECLINED;
}

/** Reads a stored decline reason into the wire fields: the locale key of the reason, and the cause. */
export function readReason(kept: string): { readonly reason: string; readonly declineCause?: DepositDeclineCause } {
  const word = kept.startsWith(`${DECLINED}.`) ? kept.slice(DECLINED.length + 1) : undefined;
  return isDeclineCause(word) ? { reason: DECLINED, declineCause: word } : { reason: kept };
}
