/** Stops a pending timer. A second call, or a call after the timer has run, does nothing. */
export type Cancel = () => void;

/**
 * Time as a port: rules, retries and polls never read the machine's clock, and no test has to sleep.
 * All instants are milliseconds since the Unix epoch, and all delays are milliseconds.
 */
export interface Clock {
  /** The present time of this machine, which may be wrong. Only the server decides about expiry. */
  now(): number;
  /** Runs once after `delayMs`; a negative delay counts as 0. Never runs before this call returns. */
  setTimer(run: () => void, delayMs: number): Cancel;
  /** Runs repeatedly, first after `everyMs`. Ticks missed while the device sleeps are lost. */
  setRepeating(run: () => void, everyMs: number): Cancel;
}

/** The platform counts timers in 32 bits, so a longer delay would fire at once. */
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
 * The platform's clock from the moment the page opened, advancing evenly. A change of the device's clock moves no countdown.
 * The clock may stop while the device sleeps; the next response of the server corrects the countdown.
 */
export const steadyClock: Clock = { ...timers, now: () => Math.round(performance.timeOrigin + performance.now()) };
