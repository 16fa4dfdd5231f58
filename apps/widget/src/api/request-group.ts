/** Requests that a screen needs together (NET-6). */
import type { Clock } from '@opencashier/core/time/clock';

/** §9. */
export const requestGroupTimeoutMs = 30_000;

export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';

  constructor() {
    super('Request timeout');
  }
}

/**
 * Runs requests under one time limit. At its end the signal of `run` is aborted and the group fails with `Request timeout`,
 * which the error screen shows. Never put a call that creates a payment in a group: the end of the wait does not undo it.
 *
 * @throws RequestTimeout after 30 s; the reason of `signal` when that is aborted; else whatever `run` throws
 */
export async function requestGroup<Value>(
  clock: Clock,
  run: (signal: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  signal?.throwIfAborted();
  const group = new AbortController();
  const forward = (): void => group.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const cancelTimer = clock.setTimer(() => group.abort(new RequestTimeout()), requestGroupTimeoutMs);
  const over = new Promise<never>((_resolve, reject) => {
    group.signal.addEventListener('abort', () => reject(group.signal.reason), { once: true });
  });
  try {
    return await Promise.race([run(group.signal), over]);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', forward);
  }
}
