/** What the status of a bank means for a transfer (pain.002, and the returns of camt). Only what is certain ends a withdrawal. */
import type { DeclineCause } from '@opencashier/contract/api';

/** A code of a reason, such as `AC04`. */
type ReasonCode = string;

export type TransferVerdict =
  /** The bank has the transfer, and nothing is certain yet. */
  | { readonly kind: 'pending' }
  /** The bank has settled it. */
  | { readonly kind: 'paid' }
  /** The payee's bank or account refuses it for good, so the user gets the amount back. */
  | { readonly kind: 'declined'; readonly cause?: DeclineCause }
  /** The bank does not pay, for a reason that is not the payee's. The amount stays held, and staff decide. */
  | { readonly kind: 'stopped' };

/** Reasons that lie with the payee's account or bank. A reason outside this list is never the user's. */
const PAYEE_REASONS: ReadonlyMap<ReasonCode, DeclineCause | undefined> = new Map<ReasonCode, DeclineCause | undefined>([
  ['AC01', 'account-details'],
  ['AC03', 'account-details'],
  ['AC04', 'account-closed'],
  ['AC06', undefined],
  ['AC07', 'account-closed'],
  ['AC14', 'account-details'],
  ['AG01', 'account-details'],
  ['BE01', 'name-mismatch'],
  ['BE05', undefined],
  ['CNOR', 'account-details'],
  ['MD07', undefined],
  ['MS02', undefined],
  ['MS03', undefined],
  ['RC01', 'account-details'],
  ['RC04', 'account-details'],
  ['RC07', 'account-details'],
  ['RR04', undefined],
  ['AB05', 'bank-unavailable'],
  ['AB06', 'bank-unavailable'],
  ['AB08', 'bank-unavailable'],
]);

/** The cause that a payee can act on, by the code of a reason. */
export function causeOfReason(code: ReasonCode | undefined): DeclineCause | undefined {
  return code === undefined ? undefined : PAYEE_REASONS.get(code);
}

const DUPLICATE = /^(?:AM05|DUPL|DU\d\d)$/;

/** Whether the bank has seen the payment before. Then it may have paid, and only a statement says so. */
export function isDuplicateReason(code: ReasonCode | null | undefined): boolean {
  return DUPLICATE.test(code ?? '');
}

/** Settled at the bank of the debtor, or credited to the payee. */
const SETTLED = new Set(['ACSC', 'ACCC']);

/**
 * The verdict about one transfer.
 * @param status the status of the transfer itself; undefined: only its file or its payment information has one
 * @param reason the code of the transfer's own reason
 * @param ofAll the status of the file or of the payment information
 */
export function judgeTransfer(
  status: string | undefined,
  reason: ReasonCode | undefined,
  ofAll: string | undefined,
): TransferVerdict {
  if (status === undefined) {
    if (ofAll === 'RJCT') return { kind: 'stopped' };
    return { kind: ofAll !== undefined && SETTLED.has(ofAll) ? 'paid' : 'pending' };
  }
  if (SETTLED.has(status)) return { kind: 'paid' };
  if (status !== 'RJCT') return { kind: 'pending' };
  if (reason === undefined || !PAYEE_REASONS.has(reason)) return { kind: 'stopped' };
  const cause = PAYEE_REASONS.get(reason);
  return { kind: 'declined', ...(cause !== undefined && { cause }) };
}
