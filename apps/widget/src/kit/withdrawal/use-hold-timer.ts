import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { type PaymentTimerState, usePaymentTimer } from '../use-payment-timer.ts';

/** How long the amount is held for somebody who has not confirmed, by the server's clock. */
export function useHoldTimer(
  report: Pick<WithdrawalTransaction, 'created' | 'expires'> | undefined,
): PaymentTimerState | undefined {
  const lifetimeMs = Date.parse(report?.expires ?? '') - Date.parse(report?.created ?? '');
  return usePaymentTimer(report?.created, lifetimeMs / 1000);
}
