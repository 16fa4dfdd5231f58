/**
 * Statistics of young tables on PostgreSQL (`schema/statistics.sql`). Autovacuum looks only once a minute, so the first payments of a new
 * cashier would use plans for empty tables. The embedded database keeps its own (`embedded/statistics.ts`).
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database.ts';
import { type RepeatedLook, repeatLook } from '../embedded/repeated-look.ts';

const LOOK_EVERY_MS = 2_000;

/** Looks every two seconds. A look takes about 2 ms while no table is young. */
export function keepYoungTables(
  database: Queryable,
  { clock, logger }: { readonly clock: Clock; readonly logger: { error(fields: object, message: string): void } },
): RepeatedLook {
  const look = async (): Promise<void> => {
    await database.query({ name: 'young-tables', text: 'select analyze_young_tables()' });
  };
  const failure = 'the statistics of young tables could not be made';
  return repeatLook(look, { clock, logger, everyMs: LOOK_EVERY_MS, failure });
}
