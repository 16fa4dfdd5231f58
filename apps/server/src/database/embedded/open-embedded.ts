/** The embedded database as a `Database`, without its schema. A server calls `openDatabase`. */
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import type { Database } from '../database.ts';
import { createPoolDatabase } from '../pool-database.ts';
import { keepLogShort } from './checkpoints.ts';
import { type EmbeddedServerOptions, startEmbeddedServer } from './embedded-database.ts';
import { keepStatistics } from './statistics.ts';

/** The part of a logger that the database code needs. */
export interface DatabaseLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly logger: DatabaseLogger;
  /** Absent: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** See `CheckpointOptions`. */
  readonly mostLogBytes?: number | undefined;
}

/** @throws FolderInUseError; Error when a commit does not reach the disk */
export async function openEmbedded(
  { dataDir, logger, clock = systemClock, mostLogBytes }: EmbeddedOptions,
  serverOptions: EmbeddedServerOptions = {},
): Promise<Database> {
  const onLost = (error: Error): void => logger.error({ message: error.message }, 'embedded database lost');
  const server = await startEmbeddedServer(dataDir, onLost, serverOptions);
  const database = createPoolDatabase({
    kind: 'embedded',
    // One connection only: more would share one session, with each other's transactions and prepared statements.
    pool: { ...server.connection, user: 'postgres', database: 'postgres', password: '', max: 1, idleTimeoutMillis: 0 },
    // One session serves the cashier and the commands beside it, so both have one time.
    hasMovableClock: true,
    onConnectionError: logConnectionError(logger),
    onClosed: () => server.stop(),
  });
  const checkpoints = keepLogShort(database, { clock, logger, mostLogBytes });
  const statistics = keepStatistics(database, { clock, logger });
  let closed: Promise<void> | undefined;
  return {
    ...database,
    close() {
      closed ??= Promise.all([checkpoints.stop(), statistics.stop()]).then(() => database.close());
      return closed;
    },
  };
}

/**
 * Handles errors of idle connections, which the driver would otherwise throw at the process. The pool opens a new connection.
 */
export function logConnectionError(logger: DatabaseLogger): (error: Error) => void {
  return (error) =>
    logger.error({ code: 'code' in error ? String(error.code) : error.name }, 'database connection lost');
}
