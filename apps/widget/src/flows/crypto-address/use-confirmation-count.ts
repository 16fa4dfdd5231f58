import type { Transaction } from '@opencashier/contract/api';
import { type ConfirmationCount, confirmationCount } from '@opencashier/core/crypto/confirmation-count';
import { useEffect, useState } from 'react';
import { useServices } from '../../kit/session/services.tsx';
import type { OpenProgress } from './model.ts';

/** The highest count that the screen has shown for a transaction. */
interface Shown {
  readonly txid: string | undefined;
  readonly count: number;
}

/**
 * The count of confirmations to show now. Each report of the server restarts the estimate (CRY-2). Undefined where nothing is
 * counted.
 */
export function useConfirmationCount(
  progress: OpenProgress,
  report: Transaction | undefined,
): ConfirmationCount | undefined {
  const { clock } = useServices();
  const [received, setReceived] = useState(() => ({ report, at: clock.now() }));
  const [now, setNow] = useState(received.at);
  const isNew = received.report !== report;
  if (isNew) setReceived({ report, at: clock.now() });
  const txid = report?.txid;
  const [shown, setShown] = useState<Shown>({ txid, count: 0 });
  const before = shown.txid === txid ? shown.count : 0;
  const count = countOf(progress, received.at, Math.max(now, received.at), before);
  // The server's count for one transaction only rises. If it is below the shown count, the estimate was too fast.
  const isMore = shown.txid !== txid || (count !== undefined && count.count > before);
  // A new report counts from its own time. This render still has the time of the former report.
  if (isMore && !isNew) setShown({ txid, count: count?.count ?? 0 });
  const changesAt = count?.changesAt;
  useEffect(() => {
    if (changesAt === undefined) return;
    return clock.setTimer(() => setNow(clock.now()), changesAt - clock.now());
  }, [clock, changesAt]);
  return count;
}

function countOf(
  progress: OpenProgress,
  reportedAt: number,
  now: number,
  shown: number,
): ConfirmationCount | undefined {
  if (progress.at === 'awaited') return undefined;
  const { status, reported, required, intervalMs } = progress;
  return required === undefined
    ? undefined
    : confirmationCount({ status, reported, reportedAt, required, intervalMs, now, shown });
}
