/** Which entries of the ledger a settlement file answers for. */
import { dayAfter } from './line.ts';

/** The days whose entries a file must settle, both included. */
export interface DueDays {
  readonly from: string;
  readonly to: string;
}

/**
 * An entry may be settled some days after its booking. So its time is over when a file reaches that far. A file also answers for the
 * last days of the file before it, whose entries were not due yet.
 * @param from first day of the file
 * @param to last day of the file, included
 * @param lagDays days that the provider may take; 0: the same day
 * @param hasEarlier whether an earlier file of the provider was read. The first file answers for its own days alone.
 */
export function dueDays(from: string, to: string, lagDays: number, hasEarlier: boolean): DueDays {
  return { from: hasEarlier ? dayAfter(from, -lagDays) : from, to: dayAfter(to, -lagDays) };
}
