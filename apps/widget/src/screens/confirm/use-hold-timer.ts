import { type PaymentTimerState, usePaymentTimer } from '../../kit/use-payment-timer.ts';
import type { WithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';

/** How long the amount is held for somebody who has not confirmed, by the server's clock. */
export function useHoldTimer(report: WithdrawalReport | undefined): PaymentTimerState | undefined {
  const lifetimeMs = Date.parse(report?.expires ?? '') - Date.parse(report?.created ?? '');
  return usePaymentTimer(report?.created, lifetimeMs / 1000);
}
