import type { Transaction } from '@opencashier/contract/api';
import { type ConfirmationCount, confirmationCount } from '@opencashier/core/crypto/confirmation-count';
import { useEffect, useState } from 'react';
import { useServices } from '../../kit/services.tsx';
import type { OpenProgress } from './model.ts';

/** The count to show now; each report of the server starts the estimate anew (CRY-2). Undefined where nothing is counted. */
export function useConfirmationCount(
  progress: OpenProgress,
  report: Transaction | undefined,
): ConfirmationCount | undefined {
  const { clock } = useServices();
  const [received, setReceived] = useState(() => ({ report, at: clock.now() }));
  const [now, setNow] = useState(received.at);
  if (received.report !== report) setReceived({ report, at: clock.now() });
  const count = countOf(progress, received.at, Math.max(now, received.at));
  const changesAt = count?.changesAt;
  useEffect(() => {
    if (changesAt === undefined) return;
    return clock.setTimer(() => setNow(clock.now()), changesAt - clock.now());
  }, [clock, changesAt]);
  return count;
}

function countOf(progress: OpenProgress, reportedAt: number, now: number): ConfirmationCount | undefined {
  if (progress.at === 'awaited') return undefined;
  const { status, reported, required, intervalMs } = progress;
  return required === undefined
    ? undefined
    : confirmationCount({ status, reported, reportedAt, required, intervalMs, now });
}
