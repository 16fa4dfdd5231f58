/** Opens the one database of the server: embedded by default, PostgreSQL by one setting (SRV-7). */
import { Socket } from 'node:net';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import type { Database } from '../database.ts';
import { type DatabaseLogger, logConnectionError, openEmbedded } from '../embedded/open-embedded.ts';
import { guardDatabase } from '../guarded-database.ts';
import { migrate } from '../migrate.ts';
import { createPoolDatabase } from '../pool-database.ts';
import { awaitPostgres, withTableRights } from './await-postgres.ts';
import { watchDatabase } from './database-watch.ts';
import { openWatchLine } from './watch-line.ts';

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
/** No statement of ours takes long, but for those of migrations; one that does must not hold a connection for ever. ms. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens and migrates the database, and watches it from then on: what hangs or is full is refused at once.
 * @throws ConfigError where PostgreSQL does not answer in 30 s or refuses; FolderInUseError; Error where the embedded database
 * cannot sync, or the schema is newer than this build
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { databaseUrl, logger, clock = systemClock } = options;
  const postgres = databaseUrl ? openPostgres(databaseUrl, logger) : undefined;
  const database = postgres?.database ?? (await openEmbedded(options));
  try {
    if (postgres !== undefined) await awaitPostgres(database, { clock, logger });
    const applied = await withTableRights(() => migrate(database, undefined, logger));
    logger.info({ database: database.kind, applied }, 'database ready');
    if (databaseUrl === undefined || postgres === undefined) return guardDatabase(database, { clock, logger });
    const openLine = () => openWatchLine(databaseUrl);
    const watch = watchDatabase({ openLine, onAway: postgres.cut, clock, logger });
    return guardDatabase(database, { isAway: watch.isAway, onClose: watch.stop, cut: postgres.cut, clock, logger });
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
  return options.databaseUrl ? openPostgres(options.databaseUrl, options.logger).database : await openEmbedded(options);
}

interface OpenPostgres {
  readonly database: Database;
  /** Ends every connection at once, whatever is under way on it. */
  cut(): void;
}

function openPostgres(databaseUrl: string, logger: DatabaseLogger): OpenPostgres {
  const sockets = new Set<Socket>();
  const database = createPoolDatabase({
    kind: 'postgres',
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
