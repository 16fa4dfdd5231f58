/** The sockets of a data folder: its lock, the database, and the commands that a running cashier serves. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The greatest length of a unix socket path on every system (macOS: 104 bytes with the final zero). */
const LONGEST_SOCKET_PATH = 100;

/** PostgreSQL's driver names a unix socket by its folder and a port number. */
export const SOCKET_PORT = 5432;

export interface SocketPlaces {
  readonly folder: string;
  readonly lock: string;
  /** Undefined on Windows. */
  readonly database: string | undefined;
  /** Where the running cashier serves commands. Undefined on Windows. */
  readonly commands: string | undefined;
}

/** @param home the real path of a data folder */
export function socketPlaces(home: string): SocketPlaces {
  const id = createHash('sha256').update(home).digest('hex').slice(0, 16);
  if (process.platform === 'win32') {
    return { folder: home, lock: `\\\\.\\pipe\\opencashier-${id}`, database: undefined, commands: undefined };
  }
  const inside = placesIn(home);
  if (Buffer.byteLength(inside.database) <= LONGEST_SOCKET_PATH) return inside;
  const folder = join(tmpdir(), `opencashier-${process.getuid?.() ?? 0}-${id}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return placesIn(folder);
}

function placesIn(folder: string) {
  return {
    folder,
    lock: join(folder, 'lock.sock'),
    database: join(folder, `.s.PGSQL.${SOCKET_PORT}`),
    commands: join(folder, 'commands.sock'),
  };
}
