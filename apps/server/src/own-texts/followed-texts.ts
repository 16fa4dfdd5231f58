/**
 * The own texts of all operators in memory, read again within seconds of a change (SRV-7). Pages and files are answered from here, so
 * a visitor never costs a query.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { readOwnTexts, readTextVersions, type StoredTexts } from './texts-store.ts';

export interface FollowedTexts {
  /** The newest own texts of an operator; undefined when it has none in any language. */
  newest(operatorId: string): StoredTexts | undefined;
  /** The texts of a version; undefined for a version that this node does not hold. */
  at(operatorId: string, version: number): StoredTexts | undefined;
  /** Whether a version may be newer than what this node holds. */
  isAhead(operatorId: string, version: number): boolean;
  /** Reads the newest texts after a change. Never rejects: the change is stored, and the next refresh reads it. */
  follow(operatorId: string): Promise<void>;
  stop(): void;
}

const refreshEveryMs = 5_000;
/** A page loads its texts right after it was answered. So a change must not take the former version from under it. */
const heldVersions = 3;

/** Loads the own texts of all operators and refreshes them until stopped. */
export async function followTexts(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedTexts> {
  /** Newest first. */
  const held = new Map<string, readonly StoredTexts[]>();
  const newestVersion = (operatorId: string): number => held.get(operatorId)?.[0]?.version ?? 0;

  const readNewest = async (operatorId: string): Promise<void> => {
    const stored = await readOwnTexts(database, operatorId);
    // Two reads may return in another order than they started.
    if (stored.version <= newestVersion(operatorId)) return;
    held.set(operatorId, [stored, ...(held.get(operatorId) ?? [])].slice(0, heldVersions));
  };
  const refresh = async (): Promise<void> => {
    for (const { operator_id, version } of await readTextVersions(database)) {
      if (version > newestVersion(operator_id)) await readNewest(operator_id);
    }
  };

  await refresh();
  const stop = clock.setRepeating(() => void refresh().catch(onError), refreshEveryMs);
  return {
    newest(operatorId) {
      const newest = held.get(operatorId)?.[0];
      return newest === undefined || newest.byLocale.size === 0 ? undefined : newest;
    },
    at: (operatorId, version) => held.get(operatorId)?.find((stored) => stored.version === version),
    isAhead: (operatorId, version) => version > newestVersion(operatorId),
    follow: (operatorId) => readNewest(operatorId).catch(onError),
    stop,
  };
}
