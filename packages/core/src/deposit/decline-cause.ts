/** Why a payment was declined, by a closed list, as far as its payer can do something about the cause (DEP-15). */
import { type DepositDeclineCause, depositDeclineCauses } from '@opencashier/contract/api';

const DECLINED = 'transaction.reason.declined';
const causes: ReadonlySet<string> = new Set(depositDeclineCauses);

export function isDeclineCause(word: string | undefined): word is DepositDeclineCause {
  return word !== undefined && causes.has(word);
}

/**
 * The reason under which a declined deposit is kept. A provider's word that is not on the list leaves the general reason: what hints at
 * fraud must never reach the person who may commit it.
 */
export function declineReason(word: string | undefined): string {
  return isDeclineCause(word) ? `${DECLINED}.${word}` : DECLINED;
}

/** The kept reason as the wire carries it: the locale key of the reason, and the cause beside it. */
export function readReason(kept: string): { readonly reason: string; readonly declineCause?: DepositDeclineCause } {
  const word = kept.startsWith(`${DECLINED}.`) ? kept.slice(DECLINED.length + 1) : undefined;
  return isDeclineCause(word) ? { reason: DECLINED, declineCause: word } : { reason: kept };
}
