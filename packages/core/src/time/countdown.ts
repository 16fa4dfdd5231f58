/** Lifetime of an invoice that names none, in seconds (the specification, section 9). */
export const DEFAULT_LIFETIME_S = 600;
/** Lifetime of a peer-to-peer bank transfer that names none, in minutes (the specification, section 9). */
export const DEFAULT_P2P_TIMEOUT_MIN = 15;

/** What a countdown needs. Instants in milliseconds since the epoch; `createdAt` is by the server's clock. */
export interface CountdownInput {
  readonly createdAt: number;
  /** Seconds; absent means the default of 600. */
  readonly lifetimeS?: number | undefined;
  /** The server's clock now: the device's clock may be days off. */
  readonly now: number;
}

/** A countdown as a screen shows it. A display hint: the server alone decides that a payment has expired. */
export interface Countdown {
  readonly remainingMs: number;
  /** Whole minutes and seconds left, rounded up, so that 0:00 is shown only when nothing is left. */
  readonly minutes: number;
  readonly seconds: number;
  readonly expired: boolean;
  /** Part of the lifetime that is left, 1 to 0. */
  readonly fraction: number;
}

/**
 * Time left of a lifetime that started on the server (DEP-5): never negative and never more than the lifetime,
 * whatever the device's clock says.
 */
export function countdown(input: CountdownInput): Countdown {
  const lifetimeMs = Math.max(0, (input.lifetimeS ?? DEFAULT_LIFETIME_S) * 1000);
  const elapsed = input.now - input.createdAt;
  const remainingMs = Math.min(lifetimeMs, Math.max(0, lifetimeMs - elapsed));
  const shownSeconds = Math.ceil(remainingMs / 1000);
  return {
    remainingMs,
    minutes: Math.floor(shownSeconds / 60),
    seconds: shownSeconds % 60,
    expired: remainingMs <= 0,
    fraction: lifetimeMs === 0 ? 0 : remainingMs / lifetimeMs,
  };
}

/** Bonus countdowns run for days: remaining time in whole days, hours, minutes and seconds, rounded up. */
export function remainingParts(remainingMs: number): { days: number; hours: number; minutes: number; seconds: number } {
  const total = Math.max(0, Math.ceil(remainingMs / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}
