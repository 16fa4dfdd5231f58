/** Opens the database of the server: embedded by default, or PostgreSQL by one setting (SRV-7). */
import { Socket } from 'node:net';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import type { Database } from '../database.ts';
import { FolderInUseError } from '../embedded/folder-lock.ts';
import { type DatabaseLogger, logConnectionError, openEmbedded } from '../embedded/open-embedded.ts';
import { guardDatabase } from '../guarded-database.ts';
import { migrate } from '../migrate.ts';
import { createPoolDatabase } from '../pool-database.ts';
import type { Schema } from '../schema-files.ts';
import { connectServedDatabase } from '../served/served-client.ts';
import { awaitPostgres, withTableRights } from './await-postgres.ts';
import { watchDatabase } from './database-watch.ts';
import { openWatchConnection } from './watch-connection.ts';
import { keepYoungTables } from './young-tables.ts';

export interface OpenDatabaseOptions {
  /** `postgres://…`. Absent: the embedded database. */
  readonly databaseUrl?: string | undefined;
  /** The folder of the embedded database, created at the first start. */
  readonly dataDir: string;
  readonly logger: DatabaseLogger;
  /** Absent: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** In a sandbox: the clock of the database can be moved. Default false. */
  readonly hasMovableClock?: boolean | undefined;
  /** Absent: the schema of this build. For tests with builds of two versions. */
  readonly schema?: Schema | undefined;
}

/** Ten are enough for two cores (measured). More connections only wait for each other. */
const POSTGRES_POOL = 10;
/** In ms. Only migrations have slow statements, and a slow statement must not hold a connection for ever. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens and migrates the database, and watches it. While the database hangs or its disk is full, statements fail at once.
 * @throws ConfigError when PostgreSQL does not answer within 30 s or refuses
 * @throws FolderInUseError
 * @throws Error when the embedded database cannot sync, or when the schema is of a newer build that this one does not work with
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { databaseUrl, logger, clock = systemClock } = options;
  const postgres = databaseUrl ? openPostgres(databaseUrl, options) : undefined;
  const database = postgres?.database ?? (await openEmbedded(options));
  try {
    if (postgres !== undefined) await awaitPostgres(database, { clock, logger });
    const applied = await withTableRights(() => migrate(database, options.schema, { logger, clock }));
    logger.info({ database: database.kind, applied }, 'database ready');
    if (databaseUrl === undefined || postgres === undefined) return guardDatabase(database, { clock, logger });
    const openConnection = () => openWatchConnection(databaseUrl);
    const watch = watchDatabase({ openConnection, onAway: postgres.cut, clock, logger });
    const statistics = keepYoungTables(database, { clock, logger });
    const onClose = (): void => {
      watch.stop();
      void statistics.stop();
    };
    return guardDatabase(database, { isAway: watch.isAway, onClose, cut: postgres.cut, clock, logger });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database without a migration, for the command line. While a cashier holds the embedded database, the cashier serves it.
 * @throws FolderInUseError if another process holds the database and serves no commands; Error when the embedded database cannot sync
 */
export async function openWithoutMigration(options: OpenDatabaseOptions): Promise<Database> {
  // A command may meet the database of a sandbox.
  if (options.databaseUrl) return openPostgres(options.databaseUrl, { ...options, hasMovableClock: true }).database;
  try {
    return await openEmbedded(options);
  } catch (error) {
    const served = error instanceof FolderInUseError ? await connectServedDatabase(options.dataDir) : undefined;
    if (served === undefined) throw error;
    return served;
  }
}

interface OpenPostgres {
  readonly database: Database;
  /** Ends every connection at once, even during a statement. */
  cut(): void;
}

function openPostgres(
  databaseUrl: string,
  { logger, hasMovableClock }: Pick<OpenDatabaseOptions, 'logger' | 'hasMovableClock'>,
): OpenPostgres {
  const sockets = new Set<Socket>();
  const database = createPoolDatabase({
    kind: 'postgres',
    hasMovableClock,
    pool: {
      connectionString: databaseUrl,
      max: POSTGRES_POOL,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      stream() {
        const socket = new Socket();
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return socket;
      },
    },
    onConnectionError: logConnectionError(logger),
  });
  return {
    database,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
