/** Takes the measurements of widgets: reads them by the vocabulary, counts them, and stores a limited number (NET-8, ERR-3). */
import type { RumBeacon, TelemetryEvent } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type ReadEvent, readEvent, readFault } from './vocabulary.ts';

export interface Telemetry {
  /** Stores events of the vocabulary. Other events are only counted. `operatorId`: from the token, if there was one. */
  take(operatorId: string | undefined, events: readonly TelemetryEvent[]): Promise<void>;
  /** The same for the measurements of one visit. `operatorId`: of the partner whose page it was. */
  takeVisit(operatorId: string | undefined, visit: Pick<RumBeacon, 'vitals' | 'errors'>): Promise<void>;
}

export interface TelemetryOptions {
  readonly database: Queryable;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<Metrics, 'event'>;
}

/** The most rows that a node stores in a minute, whoever sends them: about the rows of 10,000 visits. */
export const rowsPerMinute = 20_000;
const minuteMs = 60_000;

export function createTelemetry({ database, clock, metrics }: TelemetryOptions): Telemetry {
  let minute = 0;
  let kept = 0;

  const withinBounds = (events: readonly ReadEvent[]): readonly ReadEvent[] => {
    const now = Math.floor(clock.now() / minuteMs);
    if (now !== minute) {
      minute = now;
      kept = 0;
    }
    const room = events.slice(0, Math.max(0, rowsPerMinute - kept));
    kept += room.length;
    for (let index = room.length; index < events.length; index += 1) metrics.event('over-the-limit');
    return room;
  };

  const keep = async (
    source: 'events' | 'rum',
    operatorId: string | undefined,
    events: readonly (ReadEvent | undefined)[],
  ): Promise<void> => {
    for (const event of events) metrics.event(event?.key ?? 'not-in-the-vocabulary');
    const rows = withinBounds(events.filter((event) => event !== undefined));
    if (rows.length === 0) return;
    await database.query({
      name: 'telemetry-insert',
      text: `insert into telemetry_event (operator_id, source, key, number_value, code_value)
          select $1, $2, * from unnest($3::text[], $4::float8[], $5::text[])`,
      values: [
        operatorId ?? null,
        source,
        rows.map(({ key }) => key),
        rows.map(({ number }) => number),
        rows.map(({ code }) => code),
      ],
    });
  };

  return {
    take: (operatorId, events) => keep('events', operatorId, events.map(readEvent)),
    takeVisit: (operatorId, { vitals, errors }) =>
      keep('rum', operatorId, [
        ...vitals.map(({ name, value }) => readEvent({ key: `vitals.${name}`, value })),
        ...errors.map(readFault),
      ]),
  };
}
