/** Real-user monitoring (NET-8): sends the web vitals and the faults of a visit when it ends. Loaded after the list. */
import type { RumBeacon, RumError, VitalName } from '@opencashier/contract/api';
import { widgetVersion } from '@opencashier/contract/host';
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** The contract's `mostErrorsOfVisit`. It is repeated here, because importing it would load the contract's schemas. */
const mostErrors = 20;
/** Faults are sent soon, because a broken page may never report the end of its visit. */
const tellErrorsAfterMs = 5000;

export interface RumPorts {
  readonly clock: Clock;
  readonly partner: string;
  /** Address of the screen, without its query. */
  readonly path: () => string;
  readonly send: (body: string) => void;
}

export interface Rum {
  vital(name: VitalName, value: number): void;
  error(error: unknown): void;
  /** Sends what has not been sent. */
  flush(): void;
}

export function createRum({ clock, partner, path, send }: RumPorts): Rum {
  const vitals = new Map<VitalName, number>();
  const seen = new Set<string>();
  let errors: RumError[] = [];
  let timer: Cancel | undefined;

  const flush = (): void => {
    timer?.();
    timer = undefined;
    if (vitals.size === 0 && errors.length === 0) return;
    const beacon: RumBeacon = {
      partner: /^[A-Za-z0-9_-]{0,64}$/.test(partner) ? partner : '',
      version: widgetVersion,
      path: safePath(path()),
      vitals: [...vitals].map(([name, value]) => ({ name, value })),
      errors,
    };
    vitals.clear();
    errors = [];
    send(JSON.stringify(beacon));
  };

  return {
    vital: (name, value) => void vitals.set(name, Math.round(Math.max(0, value) * 1000) / 1000),
    error(thrown) {
      const fault = faultOf(thrown);
      const key = `${fault.name} ${fault.at}`;
      const known = errors.find((error) => `${error.name} ${error.at}` === key);
      if (known) known.count += 1;
      if (seen.has(key) || seen.size >= mostErrors) return;
      seen.add(key);
      errors.push(fault);
      timer ??= clock.setTimer(flush, tellErrorsAfterMs);
    },
    flush,
  };
}

/** Name and place of a fault. The message is left out, because it may hold what a person typed. */
export function faultOf(thrown: unknown): RumError {
  const error = thrown instanceof Error ? thrown : undefined;
  const name = /^[A-Za-z0-9_$]{1,64}$/.exec(error?.name ?? typeof thrown)?.[0] ?? 'Error';
  const [, file = '', line = '', column = ''] =
    /([\w.-]{1,120}):(\d{1,7}):(\d{1,7})\)?$/m.exec(error?.stack ?? '') ?? [];
  return { name, at: file === '' ? '' : `${file}:${line}:${column}`, count: 1 };
}

/** A person may open any address. An address that cannot be a route of ours is left out. */
function safePath(path: string): string {
  return /^[a-z0-9/_-]{0,120}$/.test(path) ? path : '';
}

let ofPage: Rum | undefined;

/** The monitor of this page, made by the first call. */
export function pageRum(page: Window & typeof globalThis, clock: Clock, base: string): Rum {
  if (ofPage) return ofPage;
  const { location, navigator, document } = page;
  const address = `${base}rum`;
  const rum = createRum({
    clock,
    partner: new URLSearchParams(location.search).get('partner') ?? '',
    path: () => location.pathname,
    send(body) {
      if (!navigator.sendBeacon?.(address, new Blob([body], { type: 'application/json' }))) {
        console.warn('The visit could not be told.');
      }
    },
  });
  page.addEventListener('pagehide', rum.flush);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') rum.flush();
  });
  ofPage = rum;
  return rum;
}

/** The web vitals of the visit; the library reports the last value of each when the page is hidden. */
export async function observeVitals(rum: Rum): Promise<void> {
  const { onCLS, onFCP, onINP, onLCP, onTTFB } = await import('web-vitals');
  for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    observe(({ name, value }) => rum.vital(name, value));
  }
}
