/** When the page's own speed is measured: late, so that measuring never slows what it measures (NET-8). */
import type { Clock } from '@opencashier/core/time/clock';
import { pageLoadTimings, type Telemetry } from './telemetry.ts';

const afterLoadMs = 3000;

/** Three seconds after load: the web vitals of every visit, and the page-load timings of one that is not framed. */
export function observePageLoad(page: Window & typeof globalThis, clock: Clock, telemetry: Telemetry): void {
  const measure = (): void => {
    clock.setTimer(() => {
      if (page.parent === page) for (const [key, ms] of pageLoadTimings(page.performance)) telemetry.measure(key, ms);
      void import('web-vitals').then(
        ({ onCLS, onFCP, onINP, onLCP, onTTFB }) => {
          for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
            observe(({ name, value }) => telemetry.measure(`vitals.${name}`, Math.round(value * 1000) / 1000));
          }
        },
        (error: unknown) => console.warn('The page is not measured.', error),
      );
    }, afterLoadMs);
  };
  if (page.document.readyState === 'complete') measure();
  else page.addEventListener('load', measure, { once: true });
}
