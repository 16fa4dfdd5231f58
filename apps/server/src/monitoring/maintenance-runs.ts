/** When the last audits and backups ran (SRV-9), for the metrics and for `opencashier doctor`. */
import type { Queryable } from '../database/database.ts';

interface MaintenanceRun {
  readonly kind: 'audit' | 'full-audit' | 'backup';
  /** Faults that were found. */
  readonly faults: number;
}

/** Stores a run. It replaces the run before. */
export async function recordRun(queryable: Queryable, { kind, faults }: MaintenanceRun): Promise<void> {
  await queryable.query({
    text: `insert into maintenance_run (kind, faults) values ($1, $2)
      on conflict (kind) do update set at = now(), faults = excluded.faults`,
    values: [kind, faults],
  });
}

/** The last run of each kind, with its age in seconds. */
export function lastRuns(queryable: Queryable): Promise<(MaintenanceRun & { readonly ageS: number })[]> {
  return queryable.query({
    text: `select kind, faults, extract(epoch from now() - at)::float8 as "ageS" from maintenance_run order by kind`,
  });
}
