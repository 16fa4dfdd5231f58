import type { Clock } from '@opencashier/core/time/clock';
import { clearAfterMs, silentAfterMs, slowAfterMs } from '../silence.ts';
import { wrongTokenTimeoutMs } from '../token-renewal.ts';

/** Delays that are time limits, although they are short. */
const limitsOfTime: ReadonlySet<number> = new Set([silentAfterMs, slowAfterMs, clearAfterMs, wrongTokenTimeoutMs]);

export interface InstantClock extends Clock {
  /** Every short delay in order: how long a person would have waited. */
  readonly waited: readonly number[];
  /** Lets the time limits of calls run out. */
  expire(limitMs: number): void;
}

/** Delays under 15 s end at once. Longer delays are time limits, which end when the test calls `expire`. */
export function createInstantClock(startMs = 1_767_225_600_000): InstantClock {
  const waited: number[] = [];
  const limits = new Set<{ run: () => void; ms: number }>();
  return {
    waited,
    now: () => startMs,
    setTimer(run, ms) {
      if (ms < 15_000 && !limitsOfTime.has(ms)) {
        waited.push(ms);
        const handle = setImmediate(run);
        return () => clearImmediate(handle);
      }
      const limit = { run, ms };
      limits.add(limit);
      return () => {
        limits.delete(limit);
      };
    },
    setRepeating() {
      throw new Error('Nothing of the client repeats.');
    },
    expire(limitMs) {
      for (const limit of [...limits].filter(({ ms }) => ms === limitMs)) {
        limits.delete(limit);
        limit.run();
      }
    },
  };
}
