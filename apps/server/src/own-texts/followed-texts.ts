/**
 * The own texts of all operators in memory, read again within seconds of a change (SRV-7). Pages and files are answered from here, so
 * a visitor never costs a query.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { followVersions } from '../database/followed-versions.ts';
import { readOwnTexts, readOwnTextsAt, readTextVersions, type StoredTexts } from './texts-store.ts';

export interface FollowedTexts {
  /** The newest own texts of an operator; undefined when it has none in any language. */
  newest(operatorId: string): StoredTexts | undefined;
  /** The texts of a version; undefined for a version that this node does not hold. */
  at(operatorId: string, version: number): StoredTexts | undefined;
  whereIs(operatorId: string, version: number): VersionPlace;
  /** Reads a version that is ahead or older. `at` has it then, if it was ever stored. */
  load(operatorId: string, version: number): Promise<void>;
  /** Reads the newest texts after a change. Never rejects: the change is stored, and the next refresh reads it. */
  follow(operatorId: string): Promise<void>;
  stop(): void;
}

/**
 * Where a version is: in this node, maybe stored by another node since the last refresh, in the history, or nowhere because nobody
 * makes so many changes between two refreshes.
 */
export type VersionPlace = 'held' | 'ahead' | 'older' | 'nowhere';

const refreshEveryMs = 5_000;
/** A page loads its texts right after it was answered. So a change must not take the former version from under it. */
const heldVersions = 3;
/** Versions of all operators that were read from the history. */
const heldOlder = 20;
const farthestAhead = 50;

/** Loads the own texts of all operators and refreshes them until stopped. */
export async function followTexts(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedTexts> {
  /** Newest first. */
  const held = new Map<string, readonly StoredTexts[]>();
  /** By operator and version; the one that was read last comes last. */
  const older = new Map<string, StoredTexts>();
  const newestVersion = (operatorId: string): number => held.get(operatorId)?.[0]?.version ?? 0;

  const readNewest = async (operatorId: string): Promise<void> => {
    const stored = await readOwnTexts(database, operatorId);
    if (stored.version <= newestVersion(operatorId)) return;
    const before = held.get(operatorId) ?? [];
    held.set(operatorId, [withSameLanguages(stored, before[0]), ...before].slice(0, heldVersions));
  };
  const readOlder = async (operatorId: string, version: number): Promise<void> => {
    const stored = await readOwnTextsAt(database, operatorId, version);
    if (stored === undefined) return;
    older.set(nameOf(operatorId, version), withSameLanguages(stored, held.get(operatorId)?.[0]));
    const [oldest] = older.keys();
    if (older.size > heldOlder && oldest !== undefined) older.delete(oldest);
  };
  const at = (operatorId: string, version: number): StoredTexts | undefined =>
    held.get(operatorId)?.find((stored) => stored.version === version) ?? older.get(nameOf(operatorId, version));

  const whereIs = (operatorId: string, version: number): VersionPlace => {
    if (at(operatorId, version)) return 'held';
    const leap = version - newestVersion(operatorId);
    if (leap <= 0) return 'older';
    return leap <= farthestAhead ? 'ahead' : 'nowhere';
  };

  const stop = await followVersions(
    {
      stored: () => readTextVersions(database),
      held: ({ operatorId }) => newestVersion(operatorId),
      read: readNewest,
    },
    { clock, everyMs: refreshEveryMs, onError },
  );
  return {
    newest(operatorId) {
      const newest = held.get(operatorId)?.[0];
      return newest === undefined || newest.byLocale.size === 0 ? undefined : newest;
    },
    at,
    whereIs,
    async load(operatorId, version) {
      if (whereIs(operatorId, version) === 'ahead') await readNewest(operatorId);
      // Another node may have stored several versions.
      if (whereIs(operatorId, version) === 'older') await readOlder(operatorId, version);
    },
    follow: (operatorId) => readNewest(operatorId).catch(onError),
    stop,
  };
}

/** A language whose texts are those of another version has the same object as there, so that nobody compiles it again. */
function withSameLanguages(stored: StoredTexts, other: StoredTexts | undefined): StoredTexts {
  const languages = [...stored.byLocale].map(([locale, texts]) => {
    const known = other?.byLocale.get(locale);
    return [locale, known !== undefined && isDeepStrictEqual(known, texts) ? known : texts] as const;
  });
  return { ...stored, byLocale: new Map(languages) };
}

function nameOf(operatorId: string, version: number): string {
  return `${operatorId} ${version}`;
}
