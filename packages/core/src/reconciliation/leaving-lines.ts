/**
 * Says when the lines of a settlement file may leave the database for an archive (SRV-1, SRV-2). They leave only when nobody needs them. Each
 * mismatch and each booking of the file has ended, and no later close of a day counts its lines. The ledger of what the lines name has left,
 * too.
 */

/** What is known of a file and of its lines in one month. Times are microseconds, as the database has them. */
export interface FileToLeave {
  /** When it was compared. Undefined: it was not. */
  readonly comparedAt: bigint | undefined;
  /** Mismatches of the file, or about its lines, that are open or wait for a second person. A line without an entry has a mismatch. */
  readonly openMismatches: number;
  /** Fees, sums and differences of the file whose booking waits for a second person. */
  readonly waitingBookings: number;
  /** When the ledger last booked an entry that the file names. Undefined: it names none. */
  readonly lastBookedAt: bigint | undefined;
}

/** What has happened for an operator. */
export interface LeftSoFar {
  /**
   * The moment of the operator's last close of a day. The next close counts the lines of files that were compared later. Undefined: no day
   * was closed. The first close counts no lines.
   */
  readonly closedAt: bigint | undefined;
  /** The ledger of earlier times has left the database. Undefined: nothing has left. */
  readonly ledgerLeftUntil: bigint | undefined;
}

/** Why the lines of a file stay, the first reason of several. */
export const REASONS_TO_STAY = [
  'not-compared',
  'mismatch-open',
  'booking-waits',
  'day-not-closed',
  'payment-here',
] as const;
export type ReasonToStay = (typeof REASONS_TO_STAY)[number];

/** Why the lines of a file must stay. Undefined: they may leave. */
export function whyLinesStay(file: FileToLeave, left: LeftSoFar): ReasonToStay | undefined {
  if (file.comparedAt === undefined) return 'not-compared';
  if (file.openMismatches > 0) return 'mismatch-open';
  if (file.waitingBookings > 0) return 'booking-waits';
  if (left.closedAt !== undefined && file.comparedAt > left.closedAt) return 'day-not-closed';
  if (file.lastBookedAt === undefined) return undefined;
  const hasLeft = left.ledgerLeftUntil !== undefined && file.lastBookedAt < left.ledgerLeftUntil;
  return hasLeft ? undefined : 'payment-here';
}
