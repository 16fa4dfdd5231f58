/**
 * Statistics and vacuum of the embedded database. PGlite runs PostgreSQL without its autovacuum process. Without statistics the planner
 * takes an operator's rows for one or two. Then a statement that names the operator and an id reads all rows of the operator. Without
 * vacuum a search for due work reads past the entries of all work that is done.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database.ts';
import { type RepeatedLook, repeatLook } from './repeated-look.ts';

const LOOK_EVERY_MS = 5_000;

export interface StatisticsOptions {
  readonly clock: Clock;
  readonly logger: { error(fields: object, message: string): void };
}

/**
 * Looks for changed tables every five seconds. Plans that were made before are made again. Statements that come meanwhile wait: 10 to
 * 100 ms for a table. The statistics of a table beyond 30,000 rows come from a sample of that many.
 * @param database its statements must not run inside the transaction of somebody else
 */
export function keepStatistics(database: Queryable, { clock, logger }: StatisticsOptions): RepeatedLook {
  const look = async (): Promise<void> => {
    // The limits are those of PostgreSQL's autovacuum. Other statements run between two tables.
    const tables = await database.query<{ name: string; isDead: boolean }>({
      name: 'changed_tables',
      text: `select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + n_live_tup * 0.2 as "isDead"
        from pg_stat_user_tables
        where n_dead_tup > 50 + n_live_tup * 0.2 or n_mod_since_analyze > 50 + n_live_tup * 0.1
        order by n_live_tup`,
    });
    for (const { name, isDead } of tables) {
      await database.query({ text: isDead ? `vacuum (analyze) ${name}` : `analyze ${name}` });
    }
  };
  const failure = 'the embedded database could not look after its statistics';
  return repeatLook(look, { clock, logger, everyMs: LOOK_EVERY_MS, failure });
}
