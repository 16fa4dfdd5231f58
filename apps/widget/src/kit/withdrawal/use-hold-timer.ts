import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { type PaymentTimerState, useCountdown } from '../payment/use-payment-timer.ts';

/**
 * How long an unconfirmed amount stays on hold, by the server's clock. An end before the start counts as ended, because the user
 * must not confirm an amount that is no longer held.
 */
export function useHoldTimer(
  report: Pick<WithdrawalTransaction, 'created' | 'expires'> | undefined,
): PaymentTimerState | undefined {
  const lifetimeMs = Date.parse(report?.expires ?? '') - Date.parse(report?.created ?? '');
  return useCountdown(report?.created, Number.isNaN(lifetimeMs) ? undefined : lifetimeMs / 1000);
}
