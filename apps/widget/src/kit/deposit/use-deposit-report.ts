import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { useServices } from '../session/services.tsx';
import { useHostEvent } from '../session/use-host-event.ts';
import { onPageResumed } from '../status/page-resumed.ts';
import { createStatusPoll, type DepositReport } from '../status/status-poll.ts';

const nothing: DepositReport = { report: undefined, isNotFound: false, isOffline: false };

/**
 * The server's word about a deposit, kept fresh: asked when the screen opens, when the window is looked at again, when the device
 * is online again, on a push and while it is pending. The host hears of each change once (HOST-15).
 */
export function useDepositReport(depositId: string | undefined, method: string | undefined): DepositReport {
  const services = useServices();
  const [report, setReport] = useState(nothing);
  useEffect(() => {
    if (depositId === undefined) return;
    const poll = createStatusPoll(services, depositId, method);
    const stop = poll.subscribe(() => setReport(poll.getState()));
    const stopLooking = onPageResumed(poll.askNow);
    return () => {
      stop();
      poll.stop();
      stopLooking();
    };
  }, [services, depositId, method]);
  useHostEvent('depositId', depositId, report.report && statusOfCode(report.report.status));
  return report;
}
