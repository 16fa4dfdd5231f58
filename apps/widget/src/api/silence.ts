/** Whether the server is silent. The person sees it within seconds, while calls are still retried. */
import type { CallDefinition } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { createStore } from 'zustand/vanilla';

/** Calls that no person waits for. */
const backgroundCalls: ReadonlySet<string> = new Set(['events', 'session-form-on-close-modal']);

/** After this long without an answer to a reading call the server counts as silent. */
export const silentAfterMs = 4000;
/** The same for a call that changes something: the server may wait for a provider. */
export const slowAfterMs = 7000;
/** How long the line stays after the last call. It is longer than the pauses of a poll, so that the line does not flicker. */
export const clearAfterMs = 7000;

export interface Silence {
  /** Whether the server is silent. */
  getState(): boolean;
  subscribe(listener: () => void): () => void;
  /** Call it when the device is online again: the next call shows whether the server answers. */
  clear(): void;
}

/** One call with all its attempts. */
export interface WatchedCall {
  attempt(): Attempt;
  /** Call it after the last attempt. */
  ended(): void;
}

export interface Attempt {
  answered(): void;
  lost(): void;
  /** The page has aborted the attempt, which says nothing about the server. */
  dropped(): void;
}

export interface SilenceWatch extends Silence {
  /**
   * Watches a call until it has ended.
   *
   * @returns undefined for a call that is not watched: one that no person waits for, or one without retries. The line about
   * silence promises retries; a call without retries shows its outcome on its own screen
   */
  call(call: Pick<CallDefinition, 'name' | 'retry' | 'idempotency'>): WatchedCall | undefined;
}

export function createSilence(clock: Clock): SilenceWatch {
  const { getState, setState, subscribe } = createStore(() => false);
  let pending = 0;
  let cancelClear = (): void => {};
  const clear = (): void => setState(false);
  return {
    getState,
    subscribe,
    clear,
    call({ name, retry, idempotency }) {
      if (!retry || backgroundCalls.has(name)) return undefined;
      // Of a call that changes something, the server may ask a provider.
      const silentAfter = idempotency.kind === 'read' ? silentAfterMs : slowAfterMs;
      pending += 1;
      cancelClear();
      return {
        attempt() {
          const stop = clock.setTimer(() => setState(true), silentAfter);
          return {
            answered() {
              stop();
              setState(false);
            },
            lost() {
              stop();
              setState(true);
            },
            dropped: stop,
          };
        },
        ended() {
          pending -= 1;
          if (pending === 0 && getState()) cancelClear = clock.setTimer(clear, clearAfterMs);
        },
      };
    },
  };
}
