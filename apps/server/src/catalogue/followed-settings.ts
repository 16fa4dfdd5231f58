/**
 * The catalogue settings of all operators in memory, updated as soon as a newer version is seen (SRV-7).
 * Lists read the version in a query that they make anyway. A payment is inserted only if its settings still have the
 * checked version. So no node uses older settings, and no node makes extra queries.
 */
import type { CatalogueSettings } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { followVersions } from '../database/followed-versions.ts';
import { readSettings, readVersions, type StoredSettings } from './settings-store.ts';

/** The cached catalogue settings of all operators; see the top of the file. */
export interface FollowedSettings {
  /** Undefined: as shipped. The same object as long as nothing has changed. */
  of(operatorId: string): CatalogueSettings | undefined;
  version(operatorId: string): number;
  /** The settings of every operator that has some. */
  all(): Iterable<CatalogueSettings>;
  /** @param version the version just read from the database; absent: the settings are read */
  follow(operatorId: string, version?: number): Promise<void>;
  stop(): void;
}

/** For form calls between list and create, which neither read nor compare the version. */
const refreshEveryMs = 10_000;

/** Loads the settings of all operators and refreshes them until stopped. */
export async function followSettings(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedSettings> {
  const known = new Map<string, StoredSettings>();
  const version = (operatorId: string): number => known.get(operatorId)?.version ?? 0;

  const read = async (operatorId: string): Promise<void> => {
    const stored = await readSettings(database, operatorId);
    if (stored.version > version(operatorId)) known.set(operatorId, stored);
  };
  const follow = async (operatorId: string, seen?: number): Promise<void> => {
    if (seen === undefined || seen > version(operatorId)) await read(operatorId);
  };

  const stop = await followVersions(
    {
      stored: () => readVersions(database),
      held: ({ operatorId }) => version(operatorId),
      read,
    },
    { clock, everyMs: refreshEveryMs, onError },
  );
  const all = () => [...known.values()].map(({ settings }) => settings);
  return { of: (operatorId) => known.get(operatorId)?.settings, version, all, follow, stop };
}
