/** The default lifetime of an invoice, in seconds (the specification, section 9). */
export const DEFAULT_LIFETIME_S = 600;
/** The default lifetime of a peer-to-peer bank transfer, in minutes (the specification, section 9). */
export const DEFAULT_P2P_TIMEOUT_MIN = 15;

/** The inputs of a countdown, in milliseconds since the epoch. `createdAt` is by the server's clock. */
export interface CountdownInput {
  readonly createdAt: number;
  /** In seconds; the default is 600. */
  readonly lifetimeS?: number | undefined;
  /** The server's clock now, because the device's clock may be wrong by days. */
  readonly now: number;
}

/** A countdown on the screen. It is only a hint: the server alone decides that a payment has expired. */
export interface Countdown {
  readonly remainingMs: number;
  /** Whole minutes and seconds left, rounded up. The screen shows 0:00 only when no time is left. */
  readonly minutes: number;
  readonly seconds: number;
  readonly expired: boolean;
  /** The remaining part of the lifetime, from 1 to 0. */
  readonly fraction: number;
}

/**
 * The remaining time of a lifetime that started on the server (DEP-5).
 * Never negative and never above the lifetime, whatever the device's clock says.
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

/** The remaining time in whole days, hours, minutes and seconds, rounded up, because a bonus countdown runs for days. */
export function remainingParts(remainingMs: number): { days: number; hours: number; minutes: number; seconds: number } {
  const total = Math.max(0, Math.ceil(remainingMs / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}
