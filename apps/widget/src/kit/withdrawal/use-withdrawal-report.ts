import { type ResponseOf, withdrawalStatus } from '@opencashier/contract/api';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import { useServices } from '../session/services.tsx';
import { useHostEvent } from '../session/use-host-event.ts';
import { createPoll, type PolledReport, watchPoll } from '../status/poll.ts';

export type WithdrawalReport = ResponseOf<typeof withdrawalStatus>;

interface KnownReport extends PolledReport<WithdrawalReport> {
  /** Asks at once, because something may have happened. */
  askNow(): void;
}

const nothing: KnownReport = { report: undefined, isNotFound: false, isOffline: false, askNow: () => undefined };

/**
 * The status of a withdrawal from the server. The hook asks when the screen opens, on a push, and when the page becomes visible.
 * It polls while the withdrawal is pending. It reports each change once to the host (HOST-15).
 */
export function useWithdrawalReport(withdrawalId: string | undefined): KnownReport {
  const services = useServices();
  const [known, setKnown] = useState(nothing);
  useEffect(() => {
    if (withdrawalId === undefined) return;
    const { api } = services;
    const poll = createPoll(services, {
      ask: async (signal) => {
        const report = await api.call(withdrawalStatus, { withdrawalId }, { signal });
        // The user sees now that it was confirmed or has ended, so the next withdrawal is another intent.
        if (statusOfCode(report.status) !== 'waiting') sentWithdrawal.forget(withdrawalId);
        return report;
      },
      onPush: (hint) =>
        api.onPush('withdrawal.status', (pushed) => {
          if (pushed.withdrawalId === withdrawalId) hint();
        }),
    });
    return watchPoll(poll, () => setKnown({ ...poll.getState(), askNow: poll.askNow }));
  }, [services, withdrawalId]);
  useHostEvent('withdrawalId', withdrawalId, known.report && statusOfCode(known.report.status));
  return known;
}
