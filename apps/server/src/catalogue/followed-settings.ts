/**
 * Catalogue settings of all operators in memory, brought up to date the moment that a newer version is seen. Lists read the
 * version in the query that they make anyway, and payments are inserted under the condition that it is the one by which they were
 * checked (SRV-7): no node serves or obeys older settings, and none asks for them once more than it must.
 */
import type { CatalogueSettings } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { readSettings, readVersions, type StoredSettings } from './settings-store.ts';

export interface FollowedSettings {
  /** Undefined: as shipped. The same object as long as nothing has changed. */
  of(operatorId: string): CatalogueSettings | undefined;
  version(operatorId: string): number;
  /** @param version as the database was just seen to have it; absent: it is asked */
  follow(operatorId: string, version?: number): Promise<void>;
  stop(): void;
}

/** For what a form asks for between list and create: it neither reads nor compares the version. */
const refreshEveryMs = 10_000;

export async function followSettings(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedSettings> {
  const known = new Map<string, StoredSettings>();
  const version = (operatorId: string): number => known.get(operatorId)?.version ?? 0;

  const read = async (operatorId: string): Promise<void> => {
    const stored = await readSettings(database, operatorId);
    // Two reads may come back in the other order than they were made in.
    if (stored.version > version(operatorId)) known.set(operatorId, stored);
  };
  const follow = async (operatorId: string, seen?: number): Promise<void> => {
    if (seen === undefined || seen > version(operatorId)) await read(operatorId);
  };
  const refresh = async (): Promise<void> => {
    const versions = await readVersions(database);
    for (const { operator_id, version } of versions) await follow(operator_id, version);
  };

  await refresh();
  const stop = clock.setRepeating(() => void refresh().catch(onError), refreshEveryMs);
  return { of: (operatorId) => known.get(operatorId)?.settings, version, follow, stop };
}
