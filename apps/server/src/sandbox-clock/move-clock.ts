/**
 * The clock of a sandbox, which can be moved ahead (docs/sandbox.md). How far is stored in the database, so all nodes have one time. The
 * database's own `now()` moves with it: see `database/schema/clock.sql`.
 */
import { mostSecondsOfMove } from '@opencashier/contract/operator';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { sqlStateOf } from '../database/pool-database.ts';
import { ConfigError } from '../errors/config-error.ts';
import { DomainError } from '../errors/domain-error.ts';

/** Between the commit of a move and its effect: every node reads the move meanwhile, and it fits into no transaction. ms. */
const LEAD_MS = 2_000;
/** The most of all moves together, in seconds. The rows of a far future would need partitions that nobody makes. */
const mostSecondsAhead = 10 * mostSecondsOfMove;
/** The number of our lock among the database's advisory locks. */
const LOCK = 4_726_003;
const mayNot = '42501';

export interface ClockMove {
  /** From when, by the machine's time. ms since 1970. */
  readonly since: number;
  readonly aheadMs: number;
}

/** The newest moves, oldest first. Empty: the clock was never moved. */
export async function readMoves(queryable: Queryable): Promise<ClockMove[]> {
  const rows = await queryable.query<ClockMove>({
    name: 'clock-moves',
    text: `select (extract(epoch from since) * 1000)::float8 as since, (ahead_seconds * 1000)::float8 as "aheadMs"
      from clock_move order by since desc limit 4`,
  });
  return rows.reverse();
}

/** How far the clock is ahead at a time of the machine, in ms. */
export function aheadAt(moves: readonly ClockMove[], now: number): number {
  return moves.findLast(({ since }) => since <= now)?.aheadMs ?? 0;
}

/**
 * Moves the clock ahead, for all operators and nodes.
 * @returns the machine's time from which it counts, in ms since 1970, two seconds from now
 * @throws DomainError invalid-request above ten years; state-conflict if the role may not change the functions of the database
 */
export async function advanceClock(database: Database, seconds: number): Promise<ClockMove> {
  return asOwner(async () => {
    const planned = await plannedAhead(database, seconds);
    // First, and apart from the move: a partition may wait for a lock, and the move takes effect within two seconds.
    await database.transaction((transaction) => makePartitionsAt(transaction, database.kind, planned));
    return database.transaction(async (transaction) => {
      await lock(transaction);
      await moveFunctions(transaction);
      return addMove(transaction, await plannedAhead(transaction, seconds));
    });
  });
}

/**
 * Sets the clock back to the machine's, as long as no row has a time of the moved clock. A ledger's time never goes back.
 * @throws DomainError state-conflict when there is such a row, or the role may not change the functions of the database
 */
export async function resetClock(database: Database): Promise<ClockMove> {
  return asOwner(() =>
    database.transaction(async (transaction) => {
      await lock(transaction);
      const table = await tableOfFuture(transaction);
      if (table !== undefined) {
        throw new DomainError(
          'state-conflict',
          `The table ${table} has rows of the moved time, and a ledger's time never goes back. Use a new database.`,
        );
      }
      return addMove(transaction, 0);
    }),
  );
}

/**
 * Refuses to start where the time of the database must be true, but was moved.
 * @throws ConfigError
 */
export async function refuseMovedClock(database: Database): Promise<void> {
  const { aheadMs = 0 } = (await readMoves(database)).at(-1) ?? {};
  if (aheadMs === 0) return;
  throw new ConfigError([
    `The clock of this database was moved ${aheadMs / 1000} seconds ahead, which only a sandbox without real providers may use. Use another database for SANDBOX=0, MASTER_KEY, Stripe and chains.`,
  ]);
}

/** After a restore of a backup the rows say how far the clock is ahead, but the functions are those of the schema. */
export async function keepMoved(database: Database): Promise<void> {
  const moves = await readMoves(database);
  if (moves.length === 0) return;
  try {
    await database.transaction((transaction) => moveFunctions(transaction));
  } catch (error) {
    // The owner has moved them: the application's role cannot, and need not.
    if (sqlStateOf(error) !== mayNot) throw error;
  }
}

async function asOwner<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sqlStateOf(error) !== mayNot) throw error;
    throw new DomainError(
      'state-conflict',
      'The role of DATABASE_URL does not own the tables, so it cannot move the clock. Run `opencashier clock advance` with DATABASE_OWNER_URL.',
    );
  }
}

async function lock(transaction: Transaction): Promise<void> {
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
}

async function plannedAhead(queryable: Queryable, seconds: number): Promise<number> {
  const { aheadMs = 0 } = (await readMoves(queryable)).at(-1) ?? {};
  const ahead = aheadMs / 1000 + seconds;
  if (ahead <= mostSecondsAhead) return ahead;
  const message = 'The clock can be ten years ahead at most. Use a new database.';
  throw new DomainError('invalid-request', message, { fields: [{ path: 'seconds', message }] });
}

async function addMove(transaction: Transaction, aheadSeconds: number): Promise<ClockMove> {
  const [row] = await transaction.query<{ since: number }>({
    text: `insert into clock_move (since, ahead_seconds)
      select greatest(pg_catalog.clock_timestamp(), (select max(since) from clock_move)) + make_interval(secs => $1), $2
      returning (extract(epoch from since) * 1000)::float8 as since`,
    values: [LEAD_MS / 1000, aheadSeconds],
  });
  return { since: row?.since ?? 0, aheadMs: aheadSeconds * 1000 };
}

/** `now()` and `clock_timestamp()` of this schema then read the moves. A transaction has one time, as `pg_catalog.now()` has. */
async function moveFunctions(transaction: Transaction): Promise<void> {
  await transaction.query({
    text: `do $do$ declare name text; begin
      foreach name in array array['now', 'clock_timestamp'] loop
        execute format($f$create or replace function %1$I.%2$I() returns timestamptz language plpgsql %3$s parallel safe as $body$
          begin
            return pg_catalog.%2$I() + make_interval(secs => coalesce((
              select ahead_seconds from %1$I.clock_move where since <= pg_catalog.now() order by since desc limit 1), 0));
          end $body$$f$, current_schema(), name, case name when 'now' then 'stable' else 'volatile' end);
      end loop;
    end $do$`,
  });
}

/** The partitions of the months that the moved clock reaches, as `make_partitions` makes those of today. */
async function makePartitionsAt(transaction: Transaction, kind: Database['kind'], ahead: number): Promise<void> {
  await transaction.query({
    text: `select extend_partitions(place.name, moved.at, case place.type
        when 'date' then date_trunc('day', moved.at) + interval '8 days'
        else date_trunc('month', moved.at) + interval '4 months' end,
        case when place.type = 'date' then $2 else $3 end)
      from time_partitioned place cross join (select pg_catalog.now() + make_interval(secs => $1) as at) moved
      order by place.name`,
    values: kind === 'embedded' ? [ahead, 'month', 'year'] : [ahead, 'day', 'month'],
  });
}

/** A table of operators with a row of a time that the machine has not reached. */
async function tableOfFuture(transaction: Transaction): Promise<string | undefined> {
  const columns = await transaction.query<{ place: string; name: string; isId: boolean }>({
    text: `select place.relname as place, attname as name, atttypid = 'uuid'::regtype as "isId"
      from pg_attribute join pg_class place on place.oid = attrelid join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and pg_get_expr(adbin, adrelid) ~ '(^|\\.|\\()(now|time_id)\\('
        -- Not the times of planned work, which are ahead anyway.
        and attname not in ('next_at', 'due_at', 'paused_until')
        and exists (select from pg_attribute own where own.attrelid = place.oid and own.attname = 'operator_id')
      order by 1, 2`,
  });
  for (const { place, name, isId } of columns) {
    const later = isId ? `time_id_at(pg_catalog.now() + interval '1 ms')` : 'pg_catalog.now()';
    const [row] = await transaction.query<{ found: boolean }>({
      text: `select exists (select from ${place} where ${name} > ${later}) as found`,
    });
    if (row?.found === true) return place;
  }
  return undefined;
}
