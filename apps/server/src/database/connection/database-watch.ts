/**
 * Watches whether PostgreSQL answers at all. One that hangs (stopped, frozen disk, a network that swallows packets) would keep
 * every statement waiting; the watch notices within two seconds and cuts the lines, so that callers are told to come again.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** A connection of the watch's own, so that a full pool is never taken for a database that hangs. */
export interface WatchLine {
  /** Settles when the database has said anything at all; connects first where that is needed. */
  ask(): Promise<void>;
  /** Closes the connection at once; a question under way fails. */
  close(): void;
}

export interface DatabaseWatchOptions {
  readonly openLine: () => WatchLine;
  /** Runs at every look while the database is away. */
  readonly onAway: () => void;
  readonly clock: Clock;
  readonly logger: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface DatabaseWatch {
  readonly isAway: () => boolean;
  stop(): void;
}

const lookEveryMs = 250;
/**
 * So many looks in a row without any answer mean that the database is away: 1.5 s. Counted in looks, not in time: a process that
 * stands still itself for a while has not looked.
 */
const silentLooks = 6;

export function watchDatabase({ openLine, onAway, clock, logger }: DatabaseWatchOptions): DatabaseWatch {
  let line: WatchLine | undefined;
  let isAsking = false;
  let silence = 0;
  let isAway = false;

  const drop = (): void => {
    line?.close();
    line = undefined;
    isAsking = false;
  };

  const ask = async (): Promise<void> => {
    line ??= openLine();
    const asked = line;
    isAsking = true;
    try {
      await asked.ask();
      if (asked !== line) return;
      isAsking = false;
      silence = 0;
      if (isAway) logger.info({}, 'the database answers again');
      isAway = false;
    } catch (error) {
      if (asked !== line) return;
      // The reason is logged once, when the silence has lasted.
      if (silence === silentLooks - 1) logger.error({ err: error }, 'the connection to the database failed');
      drop();
    }
  };

  const look = (): void => {
    silence += 1;
    if (silence >= silentLooks) {
      if (!isAway) logger.error({}, 'the database does not answer');
      isAway = true;
      onAway();
      // A line that has been silent for so long is not waited for: the next may come through.
      if (silence % silentLooks === 0) drop();
    }
    if (!isAsking) void ask();
  };

  const cancel: Cancel = clock.setRepeating(look, lookEveryMs);
  return {
    isAway: () => isAway,
    stop() {
      cancel();
      drop();
    },
  };
}
