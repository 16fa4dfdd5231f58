import type { TransactionStatus } from '@opencashier/contract/api';

/** The inputs of the confirmation count. All times are milliseconds of the same clock. */
export interface ConfirmationInput {
  readonly status: TransactionStatus;
  /** The server's last count. */
  readonly reported: number;
  readonly reportedAt: number;
  readonly required: number;
  readonly intervalMs: number;
  readonly now: number;
  /** The count that was shown before, because the shown count never decreases. 0 when nothing was shown. */
  readonly shown?: number;
}

/** What the screen shows. */
export interface ConfirmationCount {
  readonly count: number;
  readonly required: number;
  /** The count is the widget's estimate since the server's last report. */
  readonly isEstimate: boolean;
  /** The required count is reached. The screen shows the payment as accepted; the payment is not credited yet. */
  readonly isReached: boolean;
  /** When the estimate rises next; undefined when it stays. */
  readonly changesAt: number | undefined;
}

/**
 * The number of confirmations to show (CRY-2). The server's count wins.
 * Between two reports the widget adds one estimated confirmation per block interval while the payment waits.
 * An estimate that is ahead of the server stays until the server catches up, so the count never decreases.
 * The estimate stops at the required count, and when the payment no longer waits.
 */
export function confirmationCount(input: ConfirmationInput): ConfirmationCount {
  const { status, reported, reportedAt, required, intervalMs, now, shown = 0 } = input;
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
