/** Whether the server has fallen silent: the person hears of it within seconds, while the calls are still tried again. */
import type { Clock } from '@opencashier/core/time/clock';

/** Longer than a server needs, shorter than a person wonders. */
export const silentAfterMs = 4000;

export interface Silence {
  get(): boolean;
  subscribe(listener: () => void): () => void;
}

/** Of one attempt of a call. */
export interface Attempt {
  answered(): void;
  lost(): void;
  /** Given up by this page, which says nothing about the server. */
  dropped(): void;
}

export function createSilence(clock: Clock): Silence & { attempt(): Attempt } {
  const listeners = new Set<() => void>();
  let isSilent = false;
  const set = (next: boolean): void => {
    if (next === isSilent) return;
    isSilent = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => isSilent,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    attempt() {
      const stop = clock.setTimer(() => set(true), silentAfterMs);
      const end = (next: boolean) => (): void => {
        stop();
        set(next);
      };
      return { answered: end(false), lost: end(true), dropped: stop };
    },
  };
}
