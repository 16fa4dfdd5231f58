/**
 * Whether a dismissed step of a bank message may be brought back (WD-2). Nothing may have moved the transfer in a way that the step
 * contradicts: a step from the past must never give an amount back whose payment is on its way.
 */

/** A transfer's state, the code of the bank's reason, and its files. Together they show whether it was moved. */
export interface Standing {
  readonly state: 'queued' | 'filed' | 'stopped' | 'paid' | 'declined' | 'returned';
  readonly reason: string | null;
  /** The file that may pay it. */
  readonly fileId: string | null;
  /** How many files have had the transfer. It never falls, so a new file shows also when it is gone again. */
  readonly files: number;
}

/** States in which the news that the bank has paid still counts. */
const UNPAID: ReadonlySet<Standing['state']> = new Set(['queued', 'filed', 'stopped', 'declined']);

/**
 * Whether a step still makes sense.
 * @param to what the transfer becomes by the step
 * @param then the transfer when the step was dismissed
 * @param now the transfer as it is
 * @param isPaymentDismissed an earlier step of the same message says that the bank has paid, and it is dismissed
 */
export function canBringBack(
  to: 'stopped' | 'paid' | 'declined' | 'returned',
  then: Standing,
  now: Standing,
  isPaymentDismissed: boolean,
): boolean {
  const isSameFiling = then.files === now.files;
  const isUnmoved = then.fileId === now.fileId && then.state === now.state && then.reason === now.reason;
  if (isSameFiling && isUnmoved) return true;
  if (to === 'paid') return UNPAID.has(now.state);
  // What came back is the payment of that time. A later file may have paid the transfer since, or another message than this one.
  if (to === 'returned') return now.state === 'paid' && isSameFiling && !isPaymentDismissed;
  // A rejection is older than what moved the transfer. Another file may pay it now, or the bank may have said that it is a duplicate.
  return false;
}
