import { hostEventOf, statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { useServices } from './services.tsx';
import { createStatusPoll, type DepositReport } from './status-poll.ts';

const nothing: DepositReport = { report: undefined, isNotFound: false, isOffline: false };

/**
 * The server's word about a deposit, kept fresh: asked when the screen opens, when the window is looked at again, on a push
 * and while it is pending. The host hears of each change once (HOST-15).
 */
export function useDepositReport(depositId: string | undefined, method: string | undefined): DepositReport {
  const services = useServices();
  const { post } = services;
  const [report, setReport] = useState(nothing);
  useEffect(() => {
    if (depositId === undefined) return;
    const poll = createStatusPoll(services, depositId, method);
    const stop = poll.subscribe(() => setReport(poll.get()));
    const lookAgain = () => {
      if (document.visibilityState === 'visible') poll.askNow();
    };
    window.addEventListener('focus', lookAgain);
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      stop();
      poll.stop();
      window.removeEventListener('focus', lookAgain);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [services, depositId, method]);
  const status = report.report && statusOfCode(report.report.status);
  useEffect(() => {
    if (depositId === undefined || status === undefined) return;
    post({ messageType: 'transaction', payload: { event: hostEventOf(status), depositId } });
  }, [depositId, status, post]);
  return report;
}
