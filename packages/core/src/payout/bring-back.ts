/**
 * Whether a dismissed step of a bank message may be brought back (WD-2). Nothing may have moved the transfer in a way that the step
 * contradicts: a step from the past must never give an amount back whose payment is on its way.
 */

/** A transfer's state, the code of the bank's reason, and the file that may pay it. Together they show whether it was moved. */
export interface Standing {
  readonly state: 'queued' | 'filed' | 'stopped' | 'paid' | 'declined' | 'returned';
  readonly reason: string | null;
  readonly fileId: string | null;
}

/** States in which the news that the bank has paid still counts. */
const UNPAID: ReadonlySet<Standing['state']> = new Set(['queued', 'filed', 'stopped', 'declined']);

/**
 * Whether a step still makes sense.
 * @param to what the transfer becomes by the step
 * @param then the transfer when the step was dismissed
 * @param now the transfer as it is
 */
export function canBringBack(to: 'stopped' | 'paid' | 'declined' | 'returned', then: Standing, now: Standing): boolean {
  const isSameFile = then.fileId === now.fileId;
  if (isSameFile && then.state === now.state && then.reason === now.reason) return true;
  if (to === 'paid') return UNPAID.has(now.state);
  // What came back was paid by the file of that time. Another file may have paid the transfer since.
  if (to === 'returned') return now.state === 'paid' && isSameFile;
  // A rejection is older than what moved the transfer. Another file may pay it now, or the bank may have said that it is a duplicate.
  return false;
}
