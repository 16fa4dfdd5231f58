import type { TransactionStatus } from '@opencashier/contract/api';

export type { TransactionStatus };

/** The status numbers on the wire (section 4 of the specification). Every other number reads as `accepted`. */
const STATUS_OF_CODE: ReadonlyMap<unknown, TransactionStatus> = new Map<unknown, TransactionStatus>([
  [0, 'waiting'],
  [1, 'processed'],
  [2, 'mistaked'],
]);

/** The status of a number on the wire. An unknown number means "processing, not yet credited". */
export function statusOfCode(code: unknown): TransactionStatus {
  return STATUS_OF_CODE.get(code) ?? 'accepted';
}

/** The event that the host receives about a payment (HOST-15). */
export type HostTransactionEvent = 'processing' | 'decline' | 'success' | 'progress';

const HOST_EVENTS: Readonly<Record<TransactionStatus, HostTransactionEvent>> = {
  accepted: 'processing',
  mistaked: 'decline',
  processed: 'success',
  waiting: 'progress',
};

/** The host's event for a status (HOST-15). */
export function hostEventOf(status: TransactionStatus): HostTransactionEvent {
  return HOST_EVENTS[status];
}

/** Peer-to-peer: the provider's states that finish the invoice and stop the polling (DEP-11). */
const FINISHED_REMOTELY: ReadonlySet<unknown> = new Set(['AUTO_CANCELED', 'CANCELED', 'PAYED']);

/** True when a peer-to-peer invoice is finished (DEP-11). Only the ledger decides whether money was credited. */
export function isFinishedRemotely(remoteStatus: string | null | undefined): boolean {
  return FINISHED_REMOTELY.has(remoteStatus);
}

/** The status of a finished peer-to-peer invoice (DEP-11): paid is processing, cancelled is mistaked; never success. */
export function statusOfRemote(remoteStatus: string | null | undefined): TransactionStatus {
  if (!isFinishedRemotely(remoteStatus)) return 'waiting';
  return remoteStatus === 'PAYED' ? 'accepted' : 'mistaked';
}

/** True when polling can stop. A late payment may still arrive by push. */
export function isFinal(status: TransactionStatus): boolean {
  return status === 'processed' || status === 'mistaked';
}

/** The fields of a report that decide which of two reports is newer. */
interface DatedReport {
  /** ISO 8601: when the server wrote the report. */
  readonly serverTime: string;
  /** Absent in a report about a withdrawal. */
  readonly depositId?: string;
}

/**
 * The newer of two reports about one payment, by the server's time, because pushes and responses may overtake each other.
 * A report about another deposit, or without a readable server time, never replaces the known report.
 */
export function latestReport<Report extends DatedReport>(known: Report | undefined, incoming: Report): Report {
  if (known === undefined) return incoming;
  if (known.depositId !== incoming.depositId) return known;
  return Date.parse(incoming.serverTime) >= Date.parse(known.serverTime) ? incoming : known;
}
