/** Asks the server for the status of one deposit (DEP-15). */
import { depositStatus, type Transaction } from '@opencashier/contract/api';
import { isFinal, statusOfCode } from '@opencashier/core/transaction/status';
import { pendingDeposit } from '../deposit/pending-deposit.ts';
import { sentDeposit } from '../idempotency/sent-key.ts';
import type { Services } from '../session/services.tsx';
import { createPoll, type Poll, type PolledReport, type PollOptions } from './poll.ts';

export type DepositReport = PolledReport<Transaction>;

/** See `createPoll`. */
export function createStatusPoll(
  services: Pick<Services, 'api' | 'clock'>,
  depositId: string,
  paymentMethod: string | undefined,
  options?: PollOptions,
): Poll<Transaction> {
  const { api } = services;
  const request = { depositId, ...(paymentMethod === undefined ? {} : { paymentMethod }) };
  const subject = {
    ask: async (signal: AbortSignal) => {
      const report = await api.call(depositStatus, request, { signal });
      // The payer sees this deposit now, so the next deposit is another intent.
      sentDeposit.forget(depositId);
      // Its form was left before the answer of the create, so no form gives its key up. Else the same amount would get the old payment.
      if (isFinal(statusOfCode(report.status))) pendingDeposit.settle(depositId);
      return report;
    },
    onPush: (hint: () => void) =>
      api.onPush('deposit.status', (pushed) => {
        if (pushed.depositId === depositId) hint();
      }),
  };
  return createPoll(services, subject, options);
}
