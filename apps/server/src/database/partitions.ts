/** The partitions by time of the tables that grow for ever (docs/adr/0022). */
import type { Database, Queryable } from './database.ts';

/** How far the partitions of a table reach. */
export interface Coverage {
  readonly table: string;
  /** The partitions have no gap from now until this time. */
  readonly until: Date;
  /** The same in ms from now, by the database's clock. */
  readonly aheadMs: number;
  /** Whole months from now until then; null for a table with a partition for each day. */
  readonly months: number | null;
}

/**
 * Makes the partitions of this month and the next three, if some are missing. Nodes may do it at the same time.
 * @returns how many were made
 */
export async function makePartitions(queryable: Queryable, kind: Database['kind']): Promise<number> {
  const [row] = await queryable.query<{ made: number }>({
    text: 'select make_partitions($1) as made',
    // An embedded database has fewer rows, and each small table costs memory.
    values: [kind === 'embedded' ? 'year' : 'month'],
  });
  return row?.made ?? 0;
}

/** How far the partitions of each table reach. */
export function readCoverage(queryable: Queryable): Promise<Coverage[]> {
  return queryable.query<Coverage>({
    text: `select name as table, covered_until as until, extract(epoch from covered_until - now())::float8 * 1000 as "aheadMs",
        case when type <> 'date' then
        (extract(year from age) * 12 + extract(month from age))::int end as months
      from time_partitioned cross join lateral age(covered_until at time zone 'UTC', now() at time zone 'UTC') age
      order by name`,
  });
}

/** The fewest months that the partitions of any table reach ahead; undefined if no table has partitions by month. */
export function fewestMonths(coverage: readonly Coverage[]): number | undefined {
  const months = coverage.flatMap((one) => one.months ?? []);
  return months.length === 0 ? undefined : Math.min(...months);
}
