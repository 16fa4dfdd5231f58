/** Stops a pending timer. Calling it twice, or after the timer ran, does nothing. */
export type Cancel = () => void;

/**
 * Time as a port, so that no rule, retry or poll reads the machine's clock by itself and no test has to sleep.
 * All instants are milliseconds since the Unix epoch, all delays milliseconds.
 */
export interface Clock {
  /** The present instant by this machine. It may be wrong: the server alone decides about expiry. */
  now(): number;
  /** Runs once after `delayMs` (a negative delay counts as 0). Never runs before this call has returned. */
  setTimer(run: () => void, delayMs: number): Cancel;
  /** Runs again and again, first after `everyMs`. Ticks missed during a sleep of the device are not made up for. */
  setRepeating(run: () => void, everyMs: number): Cancel;
}

/** A timer of the platform counts in 32 bits: a longer delay would fire at once. */
const LONGEST_PLATFORM_DELAY_MS = 2_147_483_647;

function setLongTimer(run: () => void, delayMs: number): Cancel {
  let remaining = Math.max(0, delayMs);
  let handle: ReturnType<typeof setTimeout>;
  const arm = (): void => {
    const step = Math.min(remaining, LONGEST_PLATFORM_DELAY_MS);
    remaining -= step;
    handle = setTimeout(() => (remaining > 0 ? arm() : run()), step);
  };
  arm();
  return () => clearTimeout(handle);
}

const timers = {
  setTimer: setLongTimer,
  setRepeating(run: () => void, everyMs: number): Cancel {
    const handle = setInterval(run, Math.min(Math.max(1, everyMs), LONGEST_PLATFORM_DELAY_MS));
    return () => clearInterval(handle);
  },
};

/** The clock of the platform, for production. */
export const systemClock: Clock = { ...timers, now: () => Date.now() };

/**
 * The platform's clock as it was when the page was opened, going on evenly: a person who sets the device's clock, or a network
 * that does, moves no countdown. Where it stands still while the device sleeps, the server's next answer puts that right.
 */
export const steadyClock: Clock = { ...timers, now: () => Math.round(performance.timeOrigin + performance.now()) };
