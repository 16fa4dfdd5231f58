/**
 * Watches whether PostgreSQL answers. A database that hangs (stopped, frozen disk, lost packets) would keep
 * every statement waiting. The watch notices this within two seconds and ends the connections, so that
 * callers are asked to retry.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** The watch's own connection, so that a full pool is never mistaken for a database that hangs. */
export interface WatchConnection {
  /** Settles when the database has answered anything. Connects first if necessary. */
  ask(): Promise<void>;
  /** Closes the connection at once. A pending check fails. */
  close(): void;
}

export interface DatabaseWatchOptions {
  readonly openConnection: () => WatchConnection;
  /** Runs at every check while the database does not answer. */
  readonly onAway: () => void;
  readonly clock: Clock;
  readonly logger: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface DatabaseWatch {
  readonly isAway: () => boolean;
  stop(): void;
}

const checkEveryMs = 250;
/**
 * The number of checks in a row without an answer that mean an outage: 1.5 s. Counted in checks and not in time,
 * because a process that stood still itself has made no check.
 */
const silentChecks = 6;

/** Starts the watch. `isAway` is true while the database does not answer. */
export function watchDatabase({ openConnection, onAway, clock, logger }: DatabaseWatchOptions): DatabaseWatch {
  let connection: WatchConnection | undefined;
  let isAsking = false;
  let silence = 0;
  let isAway = false;

  const drop = (): void => {
    connection?.close();
    connection = undefined;
    isAsking = false;
  };

  const ask = async (): Promise<void> => {
    connection ??= openConnection();
    const current = connection;
    isAsking = true;
    try {
      await current.ask();
      if (current !== connection) return;
      isAsking = false;
      silence = 0;
      if (isAway) logger.info({}, 'the database answers again');
      isAway = false;
    } catch (error) {
      if (current !== connection) return;
      // The reason is logged once, after the silence has lasted.
      if (silence === silentChecks - 1) logger.error({ err: error }, 'the connection to the database failed');
      drop();
    }
  };

  const check = (): void => {
    silence += 1;
    if (silence >= silentChecks) {
      if (!isAway) logger.error({}, 'the database does not answer');
      isAway = true;
      onAway();
      // A connection that stayed silent for so long is dropped, because a new connection may work.
      if (silence % silentChecks === 0) drop();
    }
    if (!isAsking) void ask();
  };

  const cancel: Cancel = clock.setRepeating(check, checkEveryMs);
  return {
    isAway: () => isAway,
    stop() {
      cancel();
      drop();
    },
  };
}
