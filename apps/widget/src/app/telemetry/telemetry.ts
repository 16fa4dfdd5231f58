/** Sends events (NET-8) to the host at once and to the server in batches. They never hold what a person typed. */
import { events, type TelemetryEvent, telemetryEventSchema } from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import type { ClientError } from '../../api/client.ts';

const batchAfterMs = 2000;
/** The contract's limit of one call. */
const largestBatch = 100;

export interface TelemetryPorts {
  readonly clock: Clock;
  readonly postMetric: (event: TelemetryEvent) => void;
  /** Sends a batch. A failure is only logged. */
  readonly send: (events: TelemetryEvent[]) => Promise<unknown>;
  /** Sends while the page closes. */
  readonly sendLast: (events: TelemetryEvent[]) => void;
}

export interface Telemetry {
  /** @param timestamp when it happened; now, if it is not given */
  note(key: string, value: number | boolean | string, timestamp?: number): void;
  /** Notes a timing of our own page. Unlike with `note`, the host does not get it. */
  measure(key: string, value: number, timestamp?: number): void;
  /** Notes a failed call (ERR-3). */
  callFailed(call: string, failure: CallFailure, timestamp?: number): void;
  /** Sends all events that are left, when the page closes. */
  leave(): void;
}

type CallFailure = Pick<ClientError, 'code' | 'status' | 'message'>;

export function createTelemetry({ clock, postMetric, send, sendLast }: TelemetryPorts): Telemetry {
  const pending: TelemetryEvent[] = [];
  let timer: Cancel | undefined;

  const flush = (): void => {
    timer = undefined;
    const batch = pending.splice(0, largestBatch);
    if (batch.length === 0) return;
    send(batch).catch((error: unknown) => console.warn('Measurements could not be sent.', error));
    if (pending.length > 0) schedule();
  };
  const schedule = (): void => {
    timer ??= clock.setTimer(flush, batchAfterMs);
  };
  const queue = (key: string, value: TelemetryEvent['value'], timestamp: number): TelemetryEvent | undefined => {
    const event = {
      key: key.replace(/[^A-Za-z0-9_.:-]/g, '-').slice(0, 64),
      timestamp,
      value: typeof value === 'string' ? value.slice(0, 120) : value,
    };
    if (!v.is(telemetryEventSchema, event)) return undefined;
    pending.push(event);
    schedule();
    return event;
  };

  const note: Telemetry['note'] = (key, value, timestamp = clock.now()) => {
    const event = queue(key, value, timestamp);
    if (event) postMetric(event);
  };
  return {
    note,
    measure(key, value, timestamp = clock.now()) {
      queue(key, value, timestamp);
    },
    callFailed(call, failure, timestamp) {
      // A failed `events` call must not cause another `events` call.
      if (call !== events.name) note(`call-failed.${call}`, failureText(failure), timestamp);
    },
    leave() {
      timer?.();
      timer = undefined;
      while (pending.length > 0) sendLast(pending.splice(0, largestBatch));
    },
  };
}

/**
 * A failed call's code, status and text (ERR-3). Words with a digit, a quotation mark or an at sign are left out, because the
 * server may quote what a person typed.
 */
export function failureText({ code, status, message }: CallFailure): string {
  return `${code} ${status} ${message.replace(/\S*[\d@"'“”‘’«»]\S*/g, '…')}`;
}

/** Page-load timings of the browser, in ms from the start of the navigation (NET-8). */
export function pageLoadTimings(performance: Pick<Performance, 'getEntriesByType'>): [key: string, ms: number][] {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const paints = performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime] as const);
  const steps = navigation
    ? ([
        ['response-start', navigation.responseStart],
        ['dom-interactive', navigation.domInteractive],
        ['dom-content-loaded', navigation.domContentLoadedEventEnd],
        ['load', navigation.loadEventEnd],
      ] as const)
    : [];
  return [...steps, ...paints].map(([name, ms]) => [`page.${name}`, Math.round(ms)]);
}
