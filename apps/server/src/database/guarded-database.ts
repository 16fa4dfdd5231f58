/** A database that fails at once while it is known to hang. It also remembers a full disk until a write succeeds. */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import type { Database } from './database.ts';
import { sqlStateOf } from './pool-database.ts';

const diskFull = '53100';
const mayNot = '42501';
const tryAgainMs = 5_000;
const closeWithinMs = 1_000;

/** Why the database cannot be used now. The rest of the server recognises an outage by `code`. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'ETIMEDOUT';
  readonly reason: 'database-unavailable' | 'database-full';

  constructor(reason: DatabaseUnavailable['reason']) {
    super(reason === 'database-full' ? 'The disk of the database is full.' : 'The database does not answer.');
    this.reason = reason;
  }
}

export interface GuardOptions {
  /** Absent: the database is not watched. */
  readonly isAway?: () => boolean;
  readonly clock: Clock;
  readonly logger: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  readonly onClose?: () => void;
  /** Ends every connection at once, because a normal close would wait for a database that hangs. */
  readonly cut?: () => void;
}

/** Wraps a database so that every call fails with DatabaseUnavailable while the database is away or its disk is full. */
export function guardDatabase(database: Database, options: GuardOptions): Database {
  const { isAway = () => false, clock, logger, onClose, cut = () => undefined } = options;
  let isFull = false;
  let cancelRetry: Cancel = () => undefined;

  const tryWrite = async (): Promise<void> => {
    try {
      isFull = !(await hasRoom(database));
      if (!isFull) logger.info({}, 'the disk of the database has free space again');
    } catch (error) {
      logger.error({ err: error }, 'could not check whether the database has free space');
    }
    if (isFull) cancelRetry = clock.setTimer(() => void tryWrite(), tryAgainMs);
  };

  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isAway()) throw new DatabaseUnavailable('database-unavailable');
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) === diskFull && !isFull) {
        isFull = true;
        logger.error({}, 'the disk of the database is full');
        cancelRetry = clock.setTimer(() => void tryWrite(), tryAgainMs);
      }
      throw error;
    }
  };

  return {
    kind: database.kind,
    ...(database.poolUse && { poolUse: () => database.poolUse?.() }),
    query: (statement) => guarded(() => database.query(statement)),
    transaction: (work) => guarded(() => database.transaction(work)),
    ping: () => guarded(() => (isFull ? Promise.reject(new DatabaseUnavailable('database-full')) : database.ping())),
    close() {
      cancelRetry();
      onClose?.();
      const cancelCut = clock.setTimer(cut, closeWithinMs);
      return database.close().finally(cancelCut);
    },
  };
}

/**
 * Whether half a megabyte can be written. A temporary table uses disk space like any other, and the transaction drops it.
 * An owner that may not create a temporary table counts as having room.
 */
export async function hasRoom(database: Pick<Database, 'transaction'>): Promise<boolean> {
  try {
    await database.transaction((transaction) =>
      transaction.query({
        text: 'select write_half_a_megabyte()',
      }),
    );
    return true;
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === diskFull) return false;
    if (state === mayNot) return true;
    throw error;
  }
}
