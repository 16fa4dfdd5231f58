/** `Database` over a pool of the `pg` driver. */
import pg from 'pg';
import type { Database, Statement, Transaction } from './database.ts';

const DEADLOCK = '40P01';
/** SQLSTATE of a serialisation failure and of a deadlock: the same transaction may succeed when it runs again. */
const RETRYABLE = new Set(['40001', DEADLOCK]);
const MOST_REPEATS = 3;

const INT8 = 20;

/**
 * How the pool reads values: bigint exactly, all others as the driver does (timestamptz is a Date). Set per pool and
 * not globally, so that other users of the driver are not affected.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface PoolDatabaseOptions {
  readonly kind: Database['kind'];
  readonly pool: Omit<pg.PoolConfig, 'types'>;
  /** Receives errors of idle connections, which the driver would otherwise throw at the process. */
  readonly onConnectionError: (error: Error) => void;
  /** In a sandbox: `now()` is that of the schema, so its clock can be moved. Default false. */
  readonly hasMovableClock?: boolean | undefined;
  /** Runs after the pool has ended. */
  readonly onClosed?: () => Promise<void>;
}

/** A `Database` over a connection pool, for the embedded database and for PostgreSQL. */
export function createPoolDatabase(options: PoolDatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.pool,
    types,
    async onConnect(client) {
      // The embedded database has one session for all connections. The state of a lost connection must not reach the next.
      if (options.kind === 'embedded') await client.query('rollback; deallocate all');
      if (options.hasMovableClock) await client.query(ownNamesFirst(false));
    },
  });
  pool.on('error', options.onConnectionError);
  pool.on('connect', (client) => {
    client.on('error', options.onConnectionError);
  });

  const attempt = async <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work({ isTransaction: true, query: (statement) => run(client, statement) });
      const { command } = await client.query('commit');
      // A commit after a swallowed error stores nothing, because the database rejects the rest of a failed transaction.
      if (command !== 'COMMIT')
        throw new Error(
          'The database rolled the transaction back, because an error inside the transaction was caught and not thrown again',
        );
      return result;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };

  let closed: Promise<void> | undefined;
  return {
    kind: options.kind,
    query: (statement) => run(pool, statement),
    async transaction(work) {
      for (let repeats = 0; ; repeats += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (!isRepeatable(error) || repeats >= MOST_REPEATS) throw error;
        }
      }
    },
    poolUse: () => ({
      most: pool.options.max,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async ping() {
      await pool.query('select 1');
    },
    close() {
      closed ??= pool.end().then(() => options.onClosed?.());
      return closed;
    },
  };
}

/**
 * Puts the schema before `pg_catalog`, so that `now()` is the schema's own (`schema/clock.sql`).
 * @param isLocal only until the end of the transaction
 */
export function ownNamesFirst(isLocal: boolean): string {
  return `select set_config('search_path', quote_ident(current_schema()) || ', pg_catalog', ${isLocal})`;
}

async function run<Row>(executor: Pick<pg.Pool, 'query'>, statement: Statement): Promise<Row[]> {
  const config: pg.QueryConfig = { text: statement.text };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = [...statement.values];
  const result = await executor.query(config);
  return result.rows as Row[];
}

/** The SQLSTATE of a database error, such as `23505`. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Bad data, a broken constraint, a serialisation failure or a deadlock, an error raised by a rule of the schema. */
const REFUSED = /^(22|23|40|P0)/;

/**
 * Whether the database has refused what it was asked, and has certainly done nothing. After any other error, such as a lost
 * connection, the outcome is unknown.
 */
export function isRefused(error: unknown): boolean {
  return REFUSED.test(sqlStateOf(error) ?? '');
}

/** Whether a statement gave up waiting for a lock, because of `lock_timeout`. It has done nothing. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** Whether a transaction was chosen to end a deadlock, also after it was repeated. It has done nothing. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === DEADLOCK;
}

/** The name of the violated constraint or index, if the database named it. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** Whether the same transaction may succeed when it runs again. `transaction` has already repeated it some times. */
export function isRepeatable(error: unknown): boolean {
  return RETRYABLE.has(sqlStateOf(error) ?? '');
}
