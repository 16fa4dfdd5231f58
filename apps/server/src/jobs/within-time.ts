/** Waiting no longer than a set time. */
import type { Clock } from '@opencashier/core/time/clock';

/** The outcome of `work`, or what `late` answers once `ms` have passed; a work that is late goes on unheard. */
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
