import { type Countdown, countdown } from '@opencashier/core/time/countdown';
import { useEffect, useState } from 'react';
import { useServices } from './services.tsx';

export interface PaymentTimerState extends Countdown {
  /** Days and hours of a long one are in `remainingMs`; this is what a screen reader is told, and when. */
  readonly announcement: 'start' | 'last-minute' | 'expired';
}

/**
 * Counts down a lifetime that began on the server (DEP-5). The device's clock is corrected by what the server's answers said,
 * each second anew, so that neither a wrong clock nor one that is set right meanwhile bends it. A display hint: the server
 * alone decides that a payment has expired.
 * @param created ISO 8601; undefined or unreadable: there is no timer
 * @param lifetimeS seconds; 600 when absent
 */
export function usePaymentTimer(
  created: string | undefined,
  lifetimeS: number | undefined,
): PaymentTimerState | undefined {
  const { api, clock } = useServices();
  const [now, setNow] = useState(() => clock.now() + api.serverOffsetMs());
  const createdAt = Date.parse(created ?? '');
  const isKnown = !Number.isNaN(createdAt);
  const state = isKnown ? countdown({ createdAt, now, ...(isLifetime(lifetimeS) ? { lifetimeS } : {}) }) : undefined;
  const isOver = state?.expired !== false;
  useEffect(() => {
    const read = () => setNow(clock.now() + api.serverOffsetMs());
    // The catch-up of a tab that slept, and the correction that came with the answer of this page.
    read();
    if (isOver) return;
    const stop = clock.setRepeating(read, 1000);
    document.addEventListener('visibilitychange', read);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', read);
    };
  }, [api, clock, isOver]);
  if (!state) return undefined;
  const announcement = state.expired ? 'expired' : state.remainingMs <= 60_000 ? 'last-minute' : 'start';
  return { ...state, announcement };
}

/** Nothing, zero or worse is no lifetime, so that the default holds. */
function isLifetime(lifetimeS: number | undefined): lifetimeS is number {
  return lifetimeS !== undefined && Number.isFinite(lifetimeS) && lifetimeS > 0;
}
