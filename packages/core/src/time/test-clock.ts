import type { Cancel, Clock } from './clock.ts';

/** A clock that only the test moves. */
export interface TestClock extends Clock {
  /** Moves the time on by `ms` and runs every due timer, by due time and then by creation. */
  advance(ms: number): void;
  /** Like `advance`, but promises settle before the first timer and after each timer. */
  advanceAsync(ms: number): Promise<void>;
  /** Changes the reading of the clock without running timers, like a change of the device's clock. May be negative. */
  skew(ms: number): void;
  /** The number of pending timers. 0 proves that a component cleaned up after itself. */
  pending(): number;
}

interface Timer {
  readonly id: number;
  readonly run: () => void;
  readonly everyMs: number | undefined;
  due: number;
}

/** Waits in real time, so that every chain of microtasks ends before the next timer runs. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** 2026-01-01T00:00:00Z: a round date that is neither 0 nor today. */
const DEFAULT_START_MS = 1_767_225_600_000;

/**
 * Makes a controllable clock for the tests of every package.
 * @param startMs the first reading, in milliseconds since the epoch
 */
export function createTestClock(startMs: number = DEFAULT_START_MS): TestClock {
  const timers = new Map<number, Timer>();
  let elapsed = 0;
  let offset = startMs;
  let lastId = 0;

  const add = (run: () => void, delayMs: number, everyMs: number | undefined): Cancel => {
    lastId += 1;
    const id = lastId;
    timers.set(id, { id, run, everyMs, due: elapsed + Math.max(0, delayMs) });
    return () => {
      timers.delete(id);
    };
  };

  const nextDue = (until: number): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.due <= until && (found === undefined || timer.due < found.due)) found = timer;
    }
    return found;
  };

  const fire = (timer: Timer): void => {
    elapsed = Math.max(elapsed, timer.due);
    if (timer.everyMs === undefined) timers.delete(timer.id);
    else timer.due += timer.everyMs;
    timer.run();
  };

  const target = (ms: number): number => {
    if (!(ms >= 0)) throw new RangeError(`A test clock cannot advance by ${ms} ms; use skew to set it back`);
    return elapsed + ms;
  };

  return {
    now: () => offset + elapsed,
    setTimer: (run, delayMs) => add(run, delayMs, undefined),
    setRepeating: (run, everyMs) => add(run, Math.max(1, everyMs), Math.max(1, everyMs)),
    advance(ms) {
      const until = target(ms);
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) fire(timer);
      elapsed = until;
    },
    async advanceAsync(ms) {
      const until = target(ms);
      await settle();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        fire(timer);
        await settle();
      }
      elapsed = Math.max(elapsed, until);
    },
    skew(ms) {
      offset += ms;
    },
    pending: () => timers.size,
  };
}
