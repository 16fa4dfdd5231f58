/**
 * Says when the lines of a settlement file may leave the database for an archive (SRV-1, SRV-2). They leave only when nobody needs them. Each
 * line has ended, and a signed close of a day has counted the file. The ledger of the payments that the lines name has left, too.
 */

/** What is known of a file and of its lines in one month. Times are microseconds, as the database has them. */
export interface FileToLeave {
  readonly isCompared: boolean;
  /** When it was compared. Undefined: it was not. */
  readonly comparedAt: bigint | undefined;
  /** The last day of its lines, in UTC. */
  readonly lastDay: string | undefined;
  /** Lines that need an entry and have none, and whose mismatch nobody has ended. */
  readonly waitingLines: number;
  /** Mismatches of the file, or about its lines, that are open or wait for a second person. */
  readonly openMismatches: number;
  /** Fees, sums and differences of the file whose booking waits for a second person. */
  readonly waitingBookings: number;
  /** When the ledger last booked an entry that the file names. Undefined: it names none. */
  readonly lastBookedAt: bigint | undefined;
}

/** What has happened for an operator. */
export interface LeftSoFar {
  /** The last day with a signed close, in UTC. Undefined: no day was closed. */
  readonly closedDay: string | undefined;
  /** The moment of that close. It counted the files that were compared until then. */
  readonly closedAt: bigint | undefined;
  /** The ledger of earlier times has left the database. Undefined: nothing has left. */
  readonly ledgerLeftUntil: bigint | undefined;
}

/** Why the lines of a file stay, the first reason of several. */
export const REASONS_TO_STAY = [
  'not-compared',
  'mismatch-open',
  'line-waits',
  'booking-waits',
  'day-not-closed',
  'payment-here',
] as const;
export type ReasonToStay = (typeof REASONS_TO_STAY)[number];

/** Why the lines of a file must stay. Undefined: they may leave. */
export function whyLinesStay(file: FileToLeave, left: LeftSoFar): ReasonToStay | undefined {
  if (!file.isCompared || file.comparedAt === undefined) return 'not-compared';
  if (file.openMismatches > 0) return 'mismatch-open';
  if (file.waitingLines > 0) return 'line-waits';
  if (file.waitingBookings > 0) return 'booking-waits';
  if (!isClosed(file, left)) return 'day-not-closed';
  if (file.lastBookedAt === undefined) return undefined;
  const hasLeft = left.ledgerLeftUntil !== undefined && file.lastBookedAt < left.ledgerLeftUntil;
  return hasLeft ? undefined : 'payment-here';
}

/** A signed close has counted the file, and each day of its lines is closed. */
function isClosed({ comparedAt, lastDay }: FileToLeave, { closedDay, closedAt }: LeftSoFar): boolean {
  if (comparedAt === undefined || closedDay === undefined || closedAt === undefined) return false;
  return comparedAt <= closedAt && (lastDay === undefined || lastDay <= closedDay);
}
