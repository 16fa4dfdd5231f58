/** What a migration says about itself in its first lines: its class, and the oldest version that works after it. */

export type MigrationClass = 'expand' | 'contract';

export interface MigrationHeader {
  /** `expand`: only adds. `contract`: removes what versions before `compatibleWith` still use. */
  readonly class: MigrationClass;
  /** The oldest version of the cashier that works on a database with this migration, such as `0.1.0`. */
  readonly compatibleWith: string;
}

const HEADER = /^-- class: (expand|contract)\n-- compatible-with: (\d+\.\d+\.\d+)\n/;

/** What takes something away that a running node may use. An expand migration may not do it. */
const TAKES_AWAY =
  /\b(?:drop\s+(?:table|column|view|function|type|sequence|constraint|trigger|index)|rename\s+(?:to|column)|alter\s+column\s+\S+\s+(?:set\s+data\s+)?type|set\s+not\s+null|truncate|delete\s+from)\b/i;

/** Undefined: the file has no header, so no version but its own works after it. */
export function headerOf(sql: string): MigrationHeader | undefined {
  const [, kind, compatibleWith] = HEADER.exec(sql) ?? [];
  if (compatibleWith === undefined) return undefined;
  return { class: kind === 'contract' ? 'contract' : 'expand', compatibleWith };
}

/**
 * What is wrong with a migration of this build; undefined if nothing is.
 * @param version the version of the build that ships the migration
 */
export function headerProblem({ name, sql }: { readonly name: string; readonly sql: string }, version: string) {
  const header = headerOf(sql);
  if (header === undefined)
    return `${name}.sql must begin with the lines "-- class: expand" (or contract) and "-- compatible-with: <version>"`;
  if (compareVersions(header.compatibleWith, version) > 0)
    return `${name}.sql is compatible with ${header.compatibleWith}, which is newer than this build (${version})`;
  if (header.class === 'contract') return undefined;
  const [found] = TAKES_AWAY.exec(withoutComments(sql)) ?? [];
  if (found !== undefined) return `${name}.sql is of class expand, but has "${found}": make it a contract migration`;
  return undefined;
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, '');
}

/**
 * Compares `1.2.3` with `1.10.0` by number. A suffix such as `-rc.1` does not count.
 * @returns negative if `left` is older, 0 if they are the same, positive if `left` is newer
 */
export function compareVersions(left: string, right: string): number {
  const [before, after] = [numbersOf(left), numbersOf(right)];
  return before[0] - after[0] || before[1] - after[1] || before[2] - after[2];
}

function numbersOf(version: string): readonly [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`${version} is not a version such as 0.1.0`);
  return [Number(major), Number(minor), Number(patch)];
}

/** The newest of some versions; undefined for none. */
export function newestOf(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareVersions).at(-1);
}
