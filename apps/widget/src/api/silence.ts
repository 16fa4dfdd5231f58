/** Whether the server has fallen silent: the person hears of it within seconds, while the calls are still tried again. */
import type { Clock } from '@opencashier/core/time/clock';
import { createStore } from 'zustand/vanilla';

/** Longer than a server needs, shorter than a person wonders. */
export const silentAfterMs = 4000;
/** A call that changes something may wait for a provider. */
export const slowAfterMs = 7000;
/** Longer than any pause of a poll, so that the words do not come and go with each of its questions. */
export const lingerMs = 7000;

export interface Silence {
  /** Whether the server is silent. */
  getState(): boolean;
  subscribe(listener: () => void): () => void;
  /** The device is online again: nothing is known of the server until the next call. */
  clear(): void;
}

/** Of one call with all its attempts. */
export interface HeardCall {
  attempt(): Attempt;
  /** No attempt follows. */
  ended(): void;
}

export interface Attempt {
  answered(): void;
  lost(): void;
  /** Given up by this page, which says nothing about the server. */
  dropped(): void;
}

export interface Listener extends Silence {
  /** @param isRead only reads, and so waits for nobody but the server */
  call(isRead: boolean): HeardCall;
}

export function createSilence(clock: Clock): Listener {
  const { getState, setState, subscribe } = createStore(() => false);
  let pending = 0;
  let stopLingering = (): void => {};
  const clear = (): void => setState(false);
  return {
    getState,
    subscribe,
    clear,
    call(isRead) {
      pending += 1;
      stopLingering();
      return {
        attempt() {
          const stop = clock.setTimer(() => setState(true), isRead ? silentAfterMs : slowAfterMs);
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
          if (pending === 0 && getState()) stopLingering = clock.setTimer(clear, lingerMs);
        },
      };
    },
  };
}
