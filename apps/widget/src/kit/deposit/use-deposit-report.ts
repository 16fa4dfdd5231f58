import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { useServices } from '../session/services.tsx';
import { useHostEvent } from '../session/use-host-event.ts';
import { watchPoll } from '../status/poll.ts';
import { createStatusPoll, type DepositReport } from '../status/status-poll.ts';

const nothing: DepositReport = { report: undefined, isNotFound: false, isOffline: false };

/**
 * The status of a deposit from the server. The hook asks when the screen opens, and on a push. It asks when the window becomes
 * visible, and when the device is online again. It polls while the deposit is pending. It reports each change once to the host
 * (HOST-15).
 */
export function useDepositReport(depositId: string | undefined, method: string | undefined): DepositReport {
  const services = useServices();
  const [report, setReport] = useState(nothing);
  useEffect(() => {
    if (depositId === undefined) return;
    const poll = createStatusPoll(services, depositId, method);
    return watchPoll(poll, () => setReport(poll.getState()));
  }, [services, depositId, method]);
  useHostEvent('depositId', depositId, report.report && statusOfCode(report.report.status));
  return report;
}
