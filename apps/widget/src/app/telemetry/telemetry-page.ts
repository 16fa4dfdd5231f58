/** Measures the speed of the page (NET-8). It starts late, so that measuring does not slow down the page. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Telemetry } from './telemetry.ts';

const afterLoadMs = 3000;

type Page = Window & typeof globalThis;

/** Three seconds after load: observes the web vitals, and notes the page-load timings when the page is in no frame. */
export function observePageLoad(page: Page, clock: Clock, telemetry: Telemetry, base: string): void {
  const noteTimings = ({ pageLoadTimings }: typeof import('./telemetry.ts')): void => {
    for (const [key, ms] of pageLoadTimings(page.performance)) telemetry.measure(key, ms);
  };
  const measure = (): void => {
    clock.setTimer(() => {
      if (page.parent === page) void import('./telemetry.ts').then(noteTimings).catch(warn);
      void import('./rum.ts')
        .then(({ observeVitals, pageRum }) => observeVitals(pageRum(page, clock, base)))
        .catch(warn);
    }, afterLoadMs);
  };
  if (page.document.readyState === 'complete') measure();
  else page.addEventListener('load', measure, { once: true });
}

/** Reports uncaught faults from now on. The code that sends them is loaded with the first fault. */
export function observeFaults(page: Page, clock: Clock, base: string): void {
  const note = (fault: unknown): void =>
    void import('./rum.ts').then(({ pageRum }) => pageRum(page, clock, base).error(fault)).catch(warn);
  page.addEventListener('error', ({ error }) => note(error));
  page.addEventListener('unhandledrejection', ({ reason }) => note(reason));
}

function warn(): void {
  console.warn('The page is not measured.');
}
