import type { TransactionStatus } from '@opencashier/contract/api';

export type { TransactionStatus };

/** Section 4 of the specification: what the numbers on the wire mean; every other one reads as `accepted`. */
const STATUS_OF_CODE: ReadonlyMap<unknown, TransactionStatus> = new Map<unknown, TransactionStatus>([
  [0, 'waiting'],
  [1, 'processed'],
  [2, 'mistaked'],
]);

/** The status of a number of the wire; whatever is not known is "processing, not yet credited". */
export function statusOfCode(code: unknown): TransactionStatus {
  return STATUS_OF_CODE.get(code) ?? 'accepted';
}

/** What the host is told about a payment (HOST-15). */
export type HostTransactionEvent = 'processing' | 'decline' | 'success' | 'progress';

const HOST_EVENTS: Readonly<Record<TransactionStatus, HostTransactionEvent>> = {
  accepted: 'processing',
  mistaked: 'decline',
  processed: 'success',
  waiting: 'progress',
};

/** The host's event of a status (HOST-15). */
export function hostEventOf(status: TransactionStatus): HostTransactionEvent {
  return HOST_EVENTS[status];
}

/** Peer-to-peer: the provider's words after which the invoice is finished and polling stops (DEP-11). */
const FINISHED_REMOTELY: ReadonlySet<unknown> = new Set(['AUTO_CANCELED', 'CANCELED', 'PAYED']);

/** True when a peer-to-peer invoice has come to its end (DEP-11). It says nothing about money: only the ledger does. */
export function isFinishedRemotely(remoteStatus: string | null | undefined): boolean {
  return FINISHED_REMOTELY.has(remoteStatus);
}

/** What a finished peer-to-peer invoice shows (DEP-11): a paid one is processing, a cancelled one mistaked; never success. */
export function statusOfRemote(remoteStatus: string | null | undefined): TransactionStatus {
  if (!isFinishedRemotely(remoteStatus)) return 'waiting';
  return remoteStatus === 'PAYED' ? 'accepted' : 'mistaked';
}

/** True when nothing more is to be waited for: polling can stop. A late payment may still come, by push. */
export function isFinal(status: TransactionStatus): boolean {
  return status === 'processed' || status === 'mistaked';
}

/** The part of a report that says which of two is newer. */
interface DatedReport {
  /** ISO 8601, when the server wrote it. */
  readonly serverTime: string;
  /** Absent in a report about a withdrawal. */
  readonly depositId?: string;
}

/**
 * Of two reports about one payment, the one that the server wrote later: pushes and answers may overtake each other.
 * A report about another deposit, or one without a readable server time, never replaces the known one.
 */
export function latestReport<Report extends DatedReport>(known: Report | undefined, incoming: Report): Report {
  if (known === undefined) return incoming;
  if (known.depositId !== incoming.depositId) return known;
  return Date.parse(incoming.serverTime) >= Date.parse(known.serverTime) ? incoming : known;
}
