/** Telemetry before its code is there. The code is loaded with the first event, so that it is no part of the first load. */
import type { Clock } from '@opencashier/core/time/clock';
import { insist } from '../../api/insist.ts';
import type { Telemetry } from './telemetry.ts';

/** @param load fetches the code and makes the telemetry */
export function createDeferredTelemetry(clock: Clock, load: () => Promise<Telemetry>): Telemetry {
  let telemetry: Telemetry | undefined;
  let isLoading = false;
  const early: ((made: Telemetry) => void)[] = [];

  /** Runs in the order of the events, at once when the code is there. */
  const run = (event: (made: Telemetry) => void): void => {
    if (telemetry !== undefined) {
      event(telemetry);
      return;
    }
    early.push(event);
    if (isLoading) return;
    isLoading = true;
    insist(load, clock).then(
      (made) => {
        telemetry = made;
        for (const waiting of early.splice(0)) waiting(made);
      },
      (error: unknown) => {
        // The next event tries again.
        isLoading = false;
        console.warn('The page is not measured.', error);
      },
    );
  };

  return {
    note: (key, value, timestamp = clock.now()) => run((made) => made.note(key, value, timestamp)),
    measure: (key, value, timestamp = clock.now()) => run((made) => made.measure(key, value, timestamp)),
    callFailed: (call, failure, timestamp = clock.now()) => run((made) => made.callFailed(call, failure, timestamp)),
    leave: () => telemetry?.leave(),
  };
}
