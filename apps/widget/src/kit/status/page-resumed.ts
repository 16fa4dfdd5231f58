import type { Cancel } from '@opencashier/core/time/clock';

/** Runs when the page is looked at again or the device is online again, because the page may show old data. */
export function onPageResumed(run: () => void): Cancel {
  const look = () => {
    if (document.visibilityState === 'visible') run();
  };
  window.addEventListener('focus', look);
  window.addEventListener('online', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    window.removeEventListener('focus', look);
    window.removeEventListener('online', look);
    document.removeEventListener('visibilitychange', look);
  };
}
