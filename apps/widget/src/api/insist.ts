import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';

/** How often a file is requested again after it failed to load. */
const furtherAttempts = 6;

/**
 * Loads a file, with up to seven attempts within half a minute, for networks that may fail. It also requests failed style sheets
 * again, because the loader requests each only once. Rejects with the last error.
 */
export function insist<Part>(
  load: () => Promise<Part>,
  clock: Clock = systemClock,
  left = furtherAttempts,
): Promise<Part> {
  return load().catch(async (error: unknown) => {
    if (left === 0) throw error;
    await pause(clock, 32_000 >> left);
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
      if (!link.sheet) link.replaceWith(link.cloneNode());
    }
    return insist(load, clock, left - 1);
  });
}

/** How long a press or a call waits for code. This is more than all attempts to load it take. */
export const codeTimeoutMs = 40_000;

/** Loads code as `insist` does, and rejects when it does not come in time, because an attempt may also hang. */
export function insistInTime<Part>(load: () => Promise<Part>, clock: Clock): Promise<Part> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(() => reject(new Error('The code did not come in time.')), codeTimeoutMs);
    insist(load, clock).then(resolve, reject).finally(cancel);
  });
}
