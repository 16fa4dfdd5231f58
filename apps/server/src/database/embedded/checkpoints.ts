/**
 * Checkpoints of the embedded database. PGlite runs PostgreSQL without its checkpointer process, so `max_wal_size` and
 * `checkpoint_timeout` start none. Without checkpoints the log grows until the stop, and a start after a crash reads all of it.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database.ts';
import { type RepeatedLook, repeatLook } from './repeated-look.ts';

/** The greatest size of the log that a start after a crash should read. It takes a second of one core for about 80 MB. */
export const MOST_LOG_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 1_000;

export interface CheckpointOptions {
  readonly clock: Clock;
  readonly logger: { error(fields: object, message: string): void };
  /** Absent: `MOST_LOG_BYTES`. For tests. */
  readonly mostLogBytes?: number | undefined;
}

/**
 * Looks at the log once a second. Statements that come during a checkpoint wait for its end.
 * @param database its statements must not run inside the transaction of somebody else
 */
export function keepLogShort(database: Queryable, options: CheckpointOptions): RepeatedLook {
  const { clock, logger, mostLogBytes = MOST_LOG_BYTES } = options;
  const look = async (): Promise<void> => {
    const [log] = await database.query<{ bytes: bigint }>({
      name: 'log_length',
      text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()`,
    });
    if (log === undefined || log.bytes <= BigInt(mostLogBytes)) return;
    await database.query({ text: 'checkpoint' });
  };
  const failure = 'the embedded database could not write a checkpoint';
  return repeatLook(look, { clock, logger, everyMs: LOOK_EVERY_MS, failure });
}
