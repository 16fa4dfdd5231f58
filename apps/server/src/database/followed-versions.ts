/**
 * What operators change while the cashier runs is held in memory by every node. Each node often checks for newer versions in
 * the database, so that a change is in force on all of them within seconds (SRV-7).
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** A version in the database: of all that an operator has, or of one row among several. */
export interface StoredVersion {
  readonly operatorId: string;
  readonly version: number;
}

export interface VersionSource<Stored extends StoredVersion> {
  /** The versions of all operators, in one query. */
  stored(): Promise<readonly Stored[]>;
  /** The version that this node holds. 0: none. */
  held(stored: Stored): number;
  /** Reads what one operator has. It keeps what is held where that is newer: two reads may return in another order than they started. */
  read(operatorId: string): Promise<void>;
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Reads everything once, and rejects if that fails. Then it checks every `everyMs`, never twice at once.
 * @returns ends the checks
 */
export async function followVersions<Stored extends StoredVersion>(
  source: VersionSource<Stored>,
  { clock, everyMs, onError }: FollowOptions,
): Promise<Cancel> {
  const check = async (onUnread: (error: unknown) => void): Promise<void> => {
    const newer = (await source.stored()).filter((one) => one.version > source.held(one));
    for (const operatorId of new Set(newer.map((one) => one.operatorId))) await source.read(operatorId).catch(onUnread);
  };

  await check((error) => {
    throw error;
  });
  let isChecking = false;
  return clock.setRepeating(() => {
    // A slow database must not get more queries.
    if (isChecking) return;
    isChecking = true;
    // What cannot be read of one operator must not keep the changes of the others away.
    check(onError)
      .catch(onError)
      .finally(() => {
        isChecking = false;
      });
  }, everyMs);
}
