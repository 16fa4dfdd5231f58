/** The embedded database as a `Database`, without its schema. A server calls `openDatabase`. */
import type { Database } from '../database.ts';
import { createPoolDatabase } from '../pool-database.ts';
import { type EmbeddedServerOptions, startEmbeddedServer } from './embedded-database.ts';

/** The part of a logger that the database code needs. */
export interface DatabaseLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** @throws FolderInUseError; Error when a commit does not reach the disk */
export async function openEmbedded(
  { dataDir, logger }: { readonly dataDir: string; readonly logger: DatabaseLogger },
  serverOptions: EmbeddedServerOptions = {},
): Promise<Database> {
  const onLost = (error: Error): void => logger.error({ message: error.message }, 'embedded database lost');
  const server = await startEmbeddedServer(dataDir, onLost, serverOptions);
  return createPoolDatabase({
    kind: 'embedded',
    // One connection only: more would share one session, with each other's transactions and prepared statements.
    pool: { ...server.connection, user: 'postgres', database: 'postgres', password: '', max: 1, idleTimeoutMillis: 0 },
    onConnectionError: logConnectionError(logger),
    onClosed: () => server.stop(),
  });
}

/**
 * Handles errors of idle connections, which the driver would otherwise throw at the process. The pool opens a new connection.
 */
export function logConnectionError(logger: DatabaseLogger): (error: Error) => void {
  return (error) =>
    logger.error({ code: 'code' in error ? String(error.code) : error.name }, 'database connection lost');
}
