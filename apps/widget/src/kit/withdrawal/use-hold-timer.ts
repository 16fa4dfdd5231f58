import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { type PaymentTimerState, useCountdown } from '../payment/use-payment-timer.ts';

/**
 * How long the amount is held for somebody who has not confirmed, by the server's clock. An end before the beginning is an
 * end all the same: nothing is offered to be confirmed that is held no more.
 */
export function useHoldTimer(
  report: Pick<WithdrawalTransaction, 'created' | 'expires'> | undefined,
): PaymentTimerState | undefined {
  const lifetimeMs = Date.parse(report?.expires ?? '') - Date.parse(report?.created ?? '');
  return useCountdown(report?.created, Number.isNaN(lifetimeMs) ? undefined : lifetimeMs / 1000);
}
