/** Which entries of the ledger a settlement file answers for. */
import { dayAfter } from './line.ts';

/** The days whose entries a file must settle, both included. */
export interface DueDays {
  readonly from: string;
  readonly to: string;
}

/**
 * An entry may be settled some days after its booking. So its time is over when a file reaches that far. A file also answers for the
 * last days of the files before it, which were not due yet, and for the days between the files.
 * @param from first day of the file
 * @param to last day of the file, included
 * @param lagDays days that the provider may take; 0: the same day
 * @param earlierTo last day of the earlier files of the provider. Absent: this is the first file, and answers for its own days alone.
 */
export function dueDays(from: string, to: string, lagDays: number, earlierTo: string | undefined): DueDays {
  const until = dayAfter(to, -lagDays);
  if (earlierTo === undefined) return { from, to: until };
  const before = dayAfter(from, -lagDays);
  const unanswered = dayAfter(earlierTo, 1 - lagDays);
  if (unanswered < before) return { from: unanswered, to: until };
  return { from: before, to: until };
}
