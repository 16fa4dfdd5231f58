/**
 * Runs a pure engine: an event goes in, the engine decides, and the runner carries out each effect. Deposits and withdrawals
 * share it (DEP-1, WD-2). No React here.
 */
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import type { Clock } from '@opencashier/core/time/clock';
import { createStore } from 'zustand/vanilla';
import type { ReadableStore } from '../session/services.tsx';
import { callFailureOf } from './call-failure.ts';

/** What the server knows about the payment of a run. */
type StatusEvent<Transaction> =
  | { readonly type: 'status-found'; readonly run: number; readonly transaction: Transaction }
  | { readonly type: 'status-absent'; readonly run: number }
  | { readonly type: 'status-failed'; readonly run: number };

interface RunnerOptions<State, Event, Effect> {
  readonly clock: Clock;
  readonly start: State;
  readonly transition: (state: State, event: Event) => { readonly state: State; readonly effects: readonly Effect[] };
  /** Runs after each event, before its effects. */
  readonly onState: (state: State, effects: readonly Effect[]) => void;
  readonly carryOut: (effect: Effect) => void;
}

export interface EngineRunner<State, Event, Transaction> extends ReadableStore<State> {
  dispatch(event: Event): void;
  /** Aborted when the engine gives up its current call. */
  signal(): AbortSignal;
  /**
   * Dispatches the event that `work` resolves with. For an error it dispatches the event of `failed`. Dispatches nothing after an
   * abort.
   * @param isRepeat see `callFailureOf`
   */
  follow(work: Promise<Event>, failed: (failure: CallFailure) => Event, isRepeat?: boolean): void;
  /** Asks for the status after `afterMs`. A later call replaces an earlier one that still waits. */
  askStatus(run: number, ask: (signal: AbortSignal) => Promise<Transaction>, afterMs: number): void;
  abort(): void;
  /** Ends the runner: no event has an effect any more. Calls in progress continue. */
  dispose(): void;
  isDisposed(): boolean;
}

export function createEngineRunner<State, Event, Effect, Transaction>(
  options: RunnerOptions<State, Event | StatusEvent<Transaction>, Effect>,
): EngineRunner<State, Event | StatusEvent<Transaction>, Transaction> {
  type AnyEvent = Event | StatusEvent<Transaction>;
  /** Notifies the screen once the effects have been carried out. Effects themselves read the new state at once. */
  const store = createStore<State>(() => options.start);
  let state = options.start;
  let aborter = new AbortController();
  let stopTimer: (() => void) | undefined;
  let isDisposed = false;

  const dispatch = (event: AnyEvent): void => {
    if (isDisposed) return;
    const next = options.transition(state, event);
    state = next.state;
    options.onState(state, next.effects);
    for (const effect of next.effects) options.carryOut(effect);
    store.setState(state, true);
  };

  const follow = (work: Promise<AnyEvent>, failed: (failure: CallFailure) => AnyEvent, isRepeat?: boolean): void => {
    const { signal } = aborter;
    void work
      .catch((error: unknown) => failed(callFailureOf(error, isRepeat)))
      .then((event) => {
        if (!signal.aborted) dispatch(event);
      });
  };

  return {
    getState: () => state,
    subscribe: store.subscribe,
    dispatch,
    follow,
    signal: () => aborter.signal,
    askStatus(run, ask, afterMs) {
      stopTimer?.();
      stopTimer = options.clock.setTimer(() => {
        follow(
          ask(aborter.signal).then((transaction) => ({ type: 'status-found', run, transaction })),
          ({ code }) => ({ type: code === 'not-found' ? 'status-absent' : 'status-failed', run }),
        );
      }, afterMs);
    },
    abort() {
      aborter.abort();
      aborter = new AbortController();
      stopTimer?.();
    },
    dispose() {
      isDisposed = true;
      stopTimer?.();
    },
    isDisposed: () => isDisposed,
  };
}
