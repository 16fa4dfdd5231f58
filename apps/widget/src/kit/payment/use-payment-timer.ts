import { type Countdown, countdown } from '@opencashier/core/time/countdown';
import { useEffect, useState } from 'react';
import { useServices } from '../session/services.tsx';

/** The seconds left at which a screen reader announces the time (UI-3, DEP-5). They leave time to act. */
const momentsS = [0, 10, 30, 60, 300] as const;

/** The last moment that has come; `start` before all of them. */
export type TimerMoment = (typeof momentsS)[number] | 'start';

export interface PaymentTimerState extends Countdown {
  /** Changes when a screen reader must announce the time. */
  readonly moment: TimerMoment;
}

/** The moment for a remaining time. After a sleep, several moments may have passed; only the last one counts. */
export function timerMoment(remainingMs: number): TimerMoment {
  return momentsS.find((seconds) => remainingMs <= seconds * 1000) ?? 'start';
}

/**
 * The time left to pay. A missing, zero or negative lifetime of a provider means the default.
 * @param created ISO 8601; undefined or unreadable: there is no timer
 * @param lifetimeS seconds; 600 when absent
 */
export function usePaymentTimer(
  created: string | undefined,
  lifetimeS: number | undefined,
): PaymentTimerState | undefined {
  return useCountdown(created, isLifetime(lifetimeS) ? lifetimeS : undefined);
}

/**
 * Counts down a lifetime that began on the server (DEP-5). It uses the device's monotonic clock, corrected each second by the
 * server's time. So a wrong clock of the device changes nothing. It is a display hint: only the server decides that a payment has
 * expired.
 * @param created ISO 8601; undefined or unreadable: there is no timer
 * @param lifetimeS seconds; zero or less means that it has already ended; 600 when absent
 */
export function useCountdown(
  created: string | undefined,
  lifetimeS: number | undefined,
): PaymentTimerState | undefined {
  const { api, clock } = useServices();
  const [, setTick] = useState(0);
  const createdAt = Date.parse(created ?? '');
  // Read in every render, because the offset may have come with the answer that is being drawn.
  const now = clock.now() + api.serverOffsetMs();
  const state = Number.isNaN(createdAt) ? undefined : countdown({ createdAt, now, lifetimeS });
  const hasTimer = state !== undefined;
  // It keeps running after the end, because a later report may correct the clock and give time back.
  useEffect(() => {
    if (!hasTimer) return;
    const tick = () => setTick((count) => count + 1);
    const stop = clock.setRepeating(tick, 1000);
    // A tab that slept has missed its ticks.
    document.addEventListener('visibilitychange', tick);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', tick);
    };
  }, [clock, hasTimer]);
  if (!state) return undefined;
  return { ...state, moment: timerMoment(state.remainingMs) };
}

function isLifetime(lifetimeS: number | undefined): lifetimeS is number {
  return lifetimeS !== undefined && Number.isFinite(lifetimeS) && lifetimeS > 0;
}
