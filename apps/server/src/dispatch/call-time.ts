/** The time limit of a call. */
import type { Clock } from '@opencashier/core/time/clock';
import { callGraceMs, callTimeLimitMs, stopGraceMs } from '../limits/call-limits.ts';
import type { CallAbort } from './call-abort.ts';
import { type Draining, NodeIsStopping } from './draining.ts';

interface CallTime {
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly abort: CallAbort;
  /** Absent: the server never stops. */
  readonly draining?: Draining | undefined;
  /** The error of a call whose time is up. */
  readonly late: () => Error;
  /** Reports a failure after `late` was the answer, which nobody else hears of. */
  readonly onLateFailure: (error: unknown) => void;
}

/**
 * Runs a handler with a time limit. At the limit, or when its call is aborted, the handler has a grace time to answer by itself.
 * A handler that ignores its signal is not waited for.
 * @throws whatever `work` throws, or `late` after the grace time
 */
export function withinCallTime(work: () => Promise<unknown>, time: CallTime): Promise<unknown> {
  const { clock, abort, draining, late, onLateFailure } = time;
  return new Promise((resolve, reject) => {
    let isLate = false;
    let cancelTimer = clock.setTimer(() => {
      abort.abort(new Error('The time limit of this call has run out.'));
    }, callTimeLimitMs);
    const beginGrace = (): void => {
      cancelTimer();
      const graceMs = abort.reason instanceof NodeIsStopping ? stopGraceMs : callGraceMs;
      cancelTimer = clock.setTimer(() => {
        isLate = true;
        reject(late());
      }, graceMs);
    };
    abort.onAbort(beginGrace);
    // The caller may have left before the handler began. That abort comes only once.
    if (abort.reason !== undefined) beginGrace();
    const forget = draining?.track(abort);
    const end = (): void => {
      abort.onAbort(undefined);
      cancelTimer();
      forget?.();
    };
    // `async`, so that an error that a handler throws at once ends the call like any other.
    const run = async () => work();
    run().then(
      (answer) => {
        end();
        resolve(answer);
      },
      (error: unknown) => {
        end();
        if (isLate) onLateFailure(error);
        else reject(error);
      },
    );
  });
}
