import { type Countdown, countdown } from '@opencashier/core/time/countdown';
import { useEffect, useState } from 'react';
import { useServices } from '../session/services.tsx';

/** The seconds left at which a screen reader announces the time: early enough to act, and not every second (UI-3, DEP-5). */
const momentsS = [0, 10, 30, 60, 300] as const;

/** The last moment that has come; `start` before all of them. */
export type TimerMoment = (typeof momentsS)[number] | 'start';

export interface PaymentTimerState extends Countdown {
  /** Days and hours of a long one are in `remainingMs`; this changes when a screen reader is to be told. */
  readonly moment: TimerMoment;
}

/** The moment of a time left. What was slept through is not made up for: of several moments only the last one counts. */
export function timerMoment(remainingMs: number): TimerMoment {
  return momentsS.find((seconds) => remainingMs <= seconds * 1000) ?? 'start';
}

/**
 * The time left to pay. What a provider says is not always a lifetime: nothing, zero or worse means the default.
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
 * Counts down a lifetime that began on the server (DEP-5). The device's clock, which goes on evenly even when it is set, is
 * corrected each second by what the server's answers said, so that no wrong clock bends it. A display hint: the server alone
 * decides that a payment has expired.
 * @param created ISO 8601; undefined or unreadable: there is no timer
 * @param lifetimeS seconds, zero or less for one that was over before it began; 600 when absent
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
  // It goes on when the time is over: the server's next word may say that it was not, as after a wrong clock was corrected.
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
