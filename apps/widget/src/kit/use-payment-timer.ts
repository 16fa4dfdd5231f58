import { type Countdown, countdown } from '@opencashier/core/time/countdown';
import { useEffect, useState } from 'react';
import { useServices } from './services.tsx';

export interface PaymentTimerState extends Countdown {
  /** Days and hours of a long one are in `remainingMs`; this is what a screen reader is told, and when. */
  readonly announcement: 'start' | 'last-minute' | 'expired';
}

/**
 * Counts down a lifetime that began on the server (DEP-5). The device's clock, which goes on evenly even when it is set, is
 * corrected each second by what the server's answers said, so that no wrong clock bends it. A display hint: the server alone
 * decides that a payment has expired.
 * @param created ISO 8601; undefined or unreadable: there is no timer
 * @param lifetimeS seconds; 600 when absent
 */
export function usePaymentTimer(
  created: string | undefined,
  lifetimeS: number | undefined,
): PaymentTimerState | undefined {
  const { api, clock } = useServices();
  const [, setTick] = useState(0);
  const createdAt = Date.parse(created ?? '');
  // Read anew in every render: the offset may have come with the very answer that is being drawn.
  const now = clock.now() + api.serverOffsetMs();
  const state = Number.isNaN(createdAt)
    ? undefined
    : countdown({ createdAt, now, ...(isLifetime(lifetimeS) ? { lifetimeS } : {}) });
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
  const announcement = state.expired ? 'expired' : state.remainingMs <= 60_000 ? 'last-minute' : 'start';
  return { ...state, announcement };
}

/** Nothing, zero or worse is no lifetime, so that the default holds. */
function isLifetime(lifetimeS: number | undefined): lifetimeS is number {
  return lifetimeS !== undefined && Number.isFinite(lifetimeS) && lifetimeS > 0;
}
