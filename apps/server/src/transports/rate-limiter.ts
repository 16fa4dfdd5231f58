/** Counts what one key did in the running window. Each node counts for itself: the limits protect a node, not a budget. */
import type { Clock } from '@opencashier/core/time/clock';

export interface RateLimiter {
  /** Counts one use. Answers 0 when it is within `limit` per `windowMs`, else the seconds until the window ends. */
  take(key: string, limit: number, windowMs: number): number;
}

interface Window {
  used: number;
  endsAt: number;
}

/** Beyond this many keys, those whose window has ended are dropped. */
const sweepAt = 50_000;

export function createRateLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  const windows = new Map<string, Window>();
  let nextSweepAt = sweepAt;
  return {
    take(key, limit, windowMs) {
      const now = clock.now();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        if (windows.size >= nextSweepAt) {
          for (const [name, { endsAt }] of windows) if (endsAt <= now) windows.delete(name);
          nextSweepAt = Math.max(sweepAt, windows.size * 2);
        }
        window = { used: 0, endsAt: now + windowMs };
        windows.set(key, window);
      }
      window.used += 1;
      return window.used <= limit ? 0 : Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    },
  };
}

/** For measurements and for those who limit at their own door. */
export const unlimited: RateLimiter = { take: () => 0 };
