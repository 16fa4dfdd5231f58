import type { Cancel, Clock } from './clock.ts';

/**
 * Waits on a clock. Returns at once for a time that is not above zero, and when the signal is aborted: `signal.aborted` tells which.
 * @param ms milliseconds
 */
export function pause(clock: Pick<Clock, 'setTimer'>, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    let cancel: Cancel = () => undefined;
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    signal?.addEventListener('abort', end);
    cancel = clock.setTimer(end, ms);
  });
}
