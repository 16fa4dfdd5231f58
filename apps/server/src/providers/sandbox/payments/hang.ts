/** Plays a company that takes a request and never answers. */
import type { Clock } from '@opencashier/core/time/clock';
import { HANG_MS } from './scenarios.ts';

/** Ends when the caller aborts, or after HANG_MS. */
export function hang(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = clock.setTimer(end, HANG_MS);
    signal.addEventListener('abort', end);
  });
}
