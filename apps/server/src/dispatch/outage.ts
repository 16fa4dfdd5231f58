/** Tells "the database is away" from a fault of ours: the first is 503 and passes, the second is 500 and is for people. */

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
/**
 * SQLSTATE: connection exceptions, resources used up (a full disk, memory, connections), a node that only reads, statements and
 * transactions over their time, shutting down, starting up.
 */
const sqlStates = /^(?:08...|53...|25006|25P03|57014|57P0[1235])$/;
const driverMessage = /^(?:Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after)/;

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string') {
    // ENOENT is an outage only where it was a connection to a socket file.
    if (networkCodes.has(code)) return code !== 'ENOENT' || syscall === 'connect';
    return sqlStates.test(code);
  }
  return driverMessage.test(error.message);
}
