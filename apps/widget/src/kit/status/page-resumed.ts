import type { Cancel } from '@opencashier/core/time/clock';

/** Calls `run` when the page becomes visible or the device is online again. The page may show old data then. */
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
