/** Counts the uses of a key in the current window. `shared-rate-limiter` has limits that nodes share. */
import type { Clock } from '@opencashier/core/time/clock';

export interface RateLimiter {
  /**
   * Counts one use, over all nodes when they share their counts.
   *
   * @returns 0 when it is within `limit` per `windowMs`, else the seconds until the window ends
   */
  take(key: string, limit: number, windowMs: number): number | Promise<number>;
  /** As `take`, for a key that only this node sees, such as a socket. */
  takeHere(key: string, limit: number, windowMs: number): number;
}

interface Window {
  used: number;
  endsAt: number;
}

/** Above this number of keys, the keys whose window has ended are dropped. */
const sweepAt = 50_000;

/** Counts in this process only. */
export function createRateLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  const windows = new Map<string, Window>();
  let nextSweepAt = sweepAt;
  const takeHere: RateLimiter['takeHere'] = (key, limit, windowMs) => {
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
    return window.used <= limit ? 0 : secondsOf(window.endsAt - now);
  };
  return { take: takeHere, takeHere };
}

/** Whole seconds to wait, at least one. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** No limits, for measurements and for servers behind a proxy that limits. */
export const unlimited: RateLimiter = { take: () => 0, takeHere: () => 0 };
