/** Tells an outage of the database from a fault of ours. An outage passes and is 503; a fault needs a developer and is 500. */

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
/**
 * SQLSTATE of connection exceptions, of used up resources (disk, memory, connections), of a read-only node, of statements and
 * transactions over their time limit, of a server that starts or stops.
 */
const sqlStates = /^(?:08...|53...|25006|25P03|57014|57P0[1235])$/;
const driverMessage = /^(?:Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after)/;

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string') {
    // ENOENT is an outage only for a connection to a socket file.
    if (networkCodes.has(code)) return code !== 'ENOENT' || syscall === 'connect';
    return sqlStates.test(code);
  }
  return driverMessage.test(error.message);
}
