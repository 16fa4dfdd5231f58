/** How much slower this machine is now than when idle. Time limits are multiplied by it, so that load alone fails nothing. */
import { availableParallelism, loadavg } from 'node:os';

const most = 10;

/**
 * How many programs want each core: 1 on an idle machine, at most 10. Always 1 on Windows, which has no load average.
 *
 * @returns {number}
 */
export function slowness() {
  return Math.min(most, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
}

/**
 * Calls `action` after `ms` of an idle machine. While other programs use the machine, the time passes more slowly.
 *
 * @param {number} ms
 * @param {() => void} action
 * @param {{ tickMs?: number, now?: () => number, slow?: () => number }} [more]
 * @returns {() => void} stops the wait
 */
export function afterIdleTime(ms, action, { tickMs = 1000, now = () => performance.now(), slow = slowness } = {}) {
  let left = ms;
  let last = now();
  const timer = setInterval(() => {
    const at = now();
    left -= (at - last) / slow();
    last = at;
    if (left > 0) return;
    clearInterval(timer);
    action();
  }, tickMs);
  return () => clearInterval(timer);
}
