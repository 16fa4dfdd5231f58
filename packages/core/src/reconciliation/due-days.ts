/** Which entries of the ledger a settlement file answers for. */
import { dayAfter } from './line.ts';

/** The days whose entries a file must settle, both included. */
export interface DueDays {
  readonly from: string;
  readonly to: string;
}

/** What was imported before. Days of the calendar, included. */
export interface KnownFiles {
  /** The last day of the files that begin before this one. Absent: there is none. */
  readonly earlierTo?: string | undefined;
  /** The first and the last day of the next file that begins after this one. Absent: there is none. */
  readonly later?: { readonly from: string; readonly to: string } | undefined;
}

/**
 * An entry may be settled some days after its booking. So its time is over when a file reaches that far. A file also answers for the
 * last days of the files before it, which were not due yet, and for the days between it and its neighbours. The first file that is
 * imported answers for its own days alone.
 * @param from first day of the file
 * @param to last day of the file, included
 * @param lagDays days that the provider may take; 0: the same day
 */
export function dueDays(from: string, to: string, lagDays: number, { earlierTo, later }: KnownFiles): DueDays {
  const starts = [from];
  if (earlierTo !== undefined) starts.push(dayAfter(from, -lagDays), dayAfter(earlierTo, 1 - lagDays));
  const ends = [dayAfter(to, -lagDays)];
  // An older file that comes late. The newer one may not reach far enough for the days before it.
  if (later !== undefined) ends.push(earliest(dayAfter(later.from, -1), dayAfter(later.to, -lagDays)));
  return { from: starts.reduce(earliest), to: ends.reduce(latest) };
}

function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}
