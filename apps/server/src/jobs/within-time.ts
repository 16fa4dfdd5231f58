/** Waiting no longer than a set time. */
import type { Clock } from '@opencashier/core/time/clock';

/** The outcome of `work`, or the answer of `late` once `ms` have passed. Late work goes on, and its outcome is ignored. */
export function withinTime<T>(clock: Clock, ms: number, work: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    work.then(
      (value) => {
        cancelTimer();
        resolve(value);
      },
      (error: unknown) => {
        cancelTimer();
        reject(error);
      },
    );
  });
}
