/** The truth about one deposit, asked for again and again while it is pending (DEP-15). */
import { depositStatus, type Transaction } from '@opencashier/contract/api';
import { createPoll, type Poll, type PolledReport, type PollOptions } from './poll.ts';
import type { Services } from './services.tsx';

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
    ask: (signal: AbortSignal) => api.call(depositStatus, request, { signal }),
    onPush: (hint: () => void) =>
      api.onPush('deposit.status', (pushed) => {
        if (pushed.depositId === depositId) hint();
      }),
  };
  return createPoll(services, subject, options);
}
