/** Opens the one database of the server: embedded by default, PostgreSQL by one setting (SRV-7). */
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { awaitPostgres, withTableRights } from './await-postgres.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { type DatabaseLogger, logConnectionError, openEmbedded } from './open-embedded.ts';
import { createPoolDatabase } from './pool-database.ts';

export interface OpenDatabaseOptions {
  /** `postgres://…`; absent: the embedded database. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded database lives; made on the first start. */
  readonly dataDir: string;
  readonly logger: DatabaseLogger;
  /** Absent: the platform's. */
  readonly clock?: Clock | undefined;
}

/** Ten are enough for two cores (measured); more only wait for each other. */
const POSTGRES_POOL = 10;
/** No statement of ours takes long; one that does must not hold a connection for ever. ms. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens and migrates the database.
 * @throws ConfigError where PostgreSQL does not answer in 30 s or refuses; FolderInUseError; Error where the embedded database
 * cannot sync, or the schema is newer than this build
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const database = await openAsItIs(options);
  try {
    if (database.kind === 'postgres')
      await awaitPostgres(database, { clock: options.clock ?? systemClock, logger: options.logger });
    const applied = await withTableRights(() => migrate(database));
    options.logger.info({ database: database.kind, applied }, 'database ready');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database and leaves its tables as they are, for whoever only looks.
 * @throws FolderInUseError; Error where the embedded database cannot sync
 */
export async function openAsItIs(options: OpenDatabaseOptions): Promise<Database> {
  return options.databaseUrl ? openPostgres(options.databaseUrl, options.logger) : await openEmbedded(options);
}

function openPostgres(databaseUrl: string, logger: DatabaseLogger): Database {
  return createPoolDatabase({
    kind: 'postgres',
    pool: {
      connectionString: databaseUrl,
      max: POSTGRES_POOL,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    },
    onConnectionError: logConnectionError(logger),
  });
}
