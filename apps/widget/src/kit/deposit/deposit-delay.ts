/** Measures the time from the list of methods to the first press of Deposit, once (DEP-8). */
import type { Services } from '../session/services.tsx';

interface Measure {
  shownAt: number | undefined;
  isDepositSubmitted: boolean;
}

/** One measure for each running widget. */
const measures = new WeakMap<Services, Measure>();

function measureOf(services: Services): Measure {
  let measure = measures.get(services);
  if (!measure) {
    measure = { shownAt: undefined, isDepositSubmitted: false };
    measures.set(services, measure);
  }
  return measure;
}

/** The methods are on the screen; only the first time counts. */
export function noteMethodsShown(services: Services): void {
  measureOf(services).shownAt ??= services.clock.now();
}

/** Deposit was pressed: reports the delay in milliseconds the first time, and never again. */
export function reportDepositDelay(services: Services): void {
  const measure = measureOf(services);
  if (measure.isDepositSubmitted) return;
  measure.isDepositSubmitted = true;
  if (measure.shownAt !== undefined) {
    services.metric('deposit.delay_ms', Math.max(0, services.clock.now() - measure.shownAt));
  }
}
