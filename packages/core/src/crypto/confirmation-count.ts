import type { TransactionStatus } from '@opencashier/contract/api';

/** What the count of confirmations depends on. Instants in milliseconds by one and the same clock. */
export interface CountQuestion {
  readonly status: TransactionStatus;
  /** The server's last count, and when it was received. */
  readonly reported: number;
  readonly reportedAt: number;
  readonly required: number;
  readonly intervalMs: number;
  readonly now: number;
  /** What was shown of this transaction before: the count never goes back. 0 where nothing was. */
  readonly shown?: number;
}

/** What the screen shows. */
export interface ConfirmationCount {
  readonly count: number;
  readonly required: number;
  /** The count is our guess since the server's last report, not the server's word. */
  readonly isEstimate: boolean;
  /** The required count is reached: shown as accepted, which is no credit. */
  readonly isReached: boolean;
  /** When the count rises by itself; undefined when it does not. */
  readonly changesAt: number | undefined;
}

/**
 * Confirmations to show (CRY-2): the server's count rules, and the local one only fills the gap until its next report, one
 * for each block interval while the payment waits. Where the guess ran ahead of the server, it waits for the server instead of going
 * back. It stops at the required count and when the payment waits no longer.
 */
export function confirmationCount(question: CountQuestion): ConfirmationCount {
  const { status, reported, reportedAt, required, intervalMs, now, shown = 0 } = question;
  const known = Math.min(Math.max(0, reported), required);
  const isCounting = status === 'waiting' && known < required && intervalMs > 0;
  const ahead = Math.max(0, Math.min(shown, required) - known);
  const elapsed = isCounting ? Math.floor((now - reportedAt) / intervalMs) : 0;
  const passed = Math.max(elapsed, ahead);
  const count = Math.min(known + passed, required);
  return {
    count,
    required,
    isEstimate: count > known,
    isReached: count >= required,
    changesAt: isCounting && count < required ? reportedAt + (passed + 1) * intervalMs : undefined,
  };
}
