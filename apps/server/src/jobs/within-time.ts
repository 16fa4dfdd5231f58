/** Waiting no longer than a set time. */
import type { Clock } from '@opencashier/core/time/clock';

/** The outcome of `work`, or the answer of `late` once `ms` have passed. Late work goes on, and its outcome is ignored. */
export async function withinTime<T>(clock: Clock, ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let cancelTimer = (): void => undefined;
  const timeout = new Promise<T>((resolve) => {
    cancelTimer = clock.setTimer(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    cancelTimer();
  }
}
