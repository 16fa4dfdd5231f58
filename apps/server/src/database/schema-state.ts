/** What a database says about its schema, compared with a build. Read only. */
import type { Queryable } from './database.ts';
import { compareVersions, headerOf, type MigrationClass, newestOf } from './migration-header.ts';
import { isBaseline, type Schema, schema } from './schema-files.ts';

/** A file that a database has applied. */
export interface Applied {
  readonly name: string;
  readonly checksum: string;
  /** The oldest version that works after it. Null: a baseline file, or a migration that only its own version knows. */
  readonly compatibleWith: string | null;
}

/** The applied files by name; none for an empty database. */
export async function readApplied(queryable: Queryable): Promise<ReadonlyMap<string, Applied>> {
  if (!(await hasTable(queryable, 'schema_migration'))) return new Map();
  const rows = await queryable.query<Applied>({
    text: 'select name, checksum, compatible_with as "compatibleWith" from schema_migration order by name',
  });
  return new Map(rows.map((row) => [row.name, row]));
}

/** The version of the build that migrated the database last; undefined for an empty database. */
export async function readLastBuild(queryable: Queryable): Promise<string | undefined> {
  if (!(await hasTable(queryable, 'schema_build'))) return undefined;
  const [row] = await queryable.query<{ version: string }>({
    text: 'select version from schema_build order by migrated_at desc, version desc limit 1',
  });
  return row?.version;
}

/** Whether this connection finds a table of this name. */
export async function hasTable(queryable: Queryable, name: string): Promise<boolean> {
  const text = 'select to_regclass($1) is not null as exists';
  const [found] = await queryable.query<{ exists: boolean }>({ text, values: [name] });
  return found?.exists === true;
}

/** The error message for a database older than the baseline, which this build cannot upgrade. Undefined for any other. */
export function unreleasedSchema(applied: readonly string[]): string | undefined {
  const last = applied.toSorted().at(-1);
  if (last === undefined || applied.some(isBaseline)) return undefined;
  return `The database has the schema of an unreleased build (its last migration is ${last}), which cannot be upgraded: set DATABASE_URL to an empty database, or DATA_DIR to an empty folder.`;
}

/** Migrations that only a newer build knows. */
export interface Newer {
  /** This build works with them. */
  readonly accepted: readonly string[];
  /** This build does not work with them. */
  readonly refused: readonly string[];
  /** The oldest version that works with all of them. Undefined: the database does not say it. */
  readonly needed: string | undefined;
}

/** Compares what a database has applied with the files of a build. */
export function newerThan(target: Schema, applied: ReadonlyMap<string, Applied>): Newer {
  const names = new Set([...target.baseline, ...target.migrations].map(({ name }) => name));
  const unknown = [...applied.values()].filter(({ name }) => !names.has(name));
  const isAccepted = ({ compatibleWith }: Applied): boolean =>
    compatibleWith !== null && compareVersions(compatibleWith, target.version) <= 0;
  const needs = unknown.map(({ compatibleWith }) => compatibleWith);
  return {
    accepted: unknown.filter(isAccepted).map(({ name }) => name),
    refused: unknown.filter((file) => !isAccepted(file)).map(({ name }) => name),
    needed: needs.every((version) => version !== null) ? newestOf(needs) : undefined,
  };
}

/** The error message for a database that this build does not work with, because a newer build changed it. */
export function newerDatabase({ refused, needed }: Newer, version: string): string | undefined {
  if (refused.length === 0) return undefined;
  const start = needed === undefined ? 'Start the version that migrated it' : `Start version ${needed} or later`;
  return `The database is newer than this build: it has ${refused.join(', ')}, and version ${version} does not work with that. ${start}, or restore the backup from before the upgrade.`;
}

/** The difference between a database's schema and this build. */
export interface SchemaState {
  /** The number of applied files; 0 for an empty database. */
  readonly applied: number;
  /** Files of this build that the database has not applied. */
  readonly missing: readonly string[];
  /** Why this build cannot work with the database and cannot upgrade it. Undefined: it can. */
  readonly refusal: string | undefined;
}

/** Compares a database with a build. Works on an empty database, too. */
export async function schemaState(queryable: Queryable, target: Schema = schema): Promise<SchemaState> {
  const applied = await readApplied(queryable);
  return {
    applied: applied.size,
    missing: [...target.baseline, ...target.migrations].map(({ name }) => name).filter((name) => !applied.has(name)),
    refusal: unreleasedSchema([...applied.keys()]) ?? newerDatabase(newerThan(target, applied), target.version),
  };
}

/** A migration that would run. */
export interface PlannedMigration {
  readonly name: string;
  /** Undefined: the file says nothing. */
  readonly class: MigrationClass | undefined;
  /** The oldest version that works after it. */
  readonly worksWith: string;
}

export interface MigrationPlan {
  /** Whether the database has no tables yet, so that all of them would be created. */
  readonly isNew: boolean;
  readonly migrations: readonly PlannedMigration[];
  /** The version of the build that migrated the database last. */
  readonly lastBuild: string | undefined;
  /** Migrations of a newer build, which this build accepts. */
  readonly accepted: readonly string[];
  /** The oldest version that works after the plan, and so the oldest to which one can go back without a restore. */
  readonly oldest: string | undefined;
  /** Migrations that need every node of the last build to be stopped. */
  readonly breaking: readonly PlannedMigration[];
}

/** What {@link migrate} would do, and which versions work afterwards. */
export async function migrationPlan(queryable: Queryable, target: Schema = schema): Promise<MigrationPlan> {
  const applied = await readApplied(queryable);
  const lastBuild = await readLastBuild(queryable);
  const isNew = applied.size === 0;
  const migrations = isNew ? [] : plannedOf(target, applied);
  const needed = [...applied.values()].flatMap(({ compatibleWith }) => compatibleWith ?? []);
  return {
    isNew,
    migrations,
    lastBuild,
    accepted: newerThan(target, applied).accepted,
    oldest: newestOf([...needed, ...migrations.map(({ worksWith }) => worksWith)]),
    breaking: breakingOf(migrations, lastBuild),
  };
}

/** The migrations of a build that a database lacks. */
export function plannedOf(target: Schema, applied: ReadonlyMap<string, Applied>): PlannedMigration[] {
  return target.migrations
    .filter(({ name }) => !applied.has(name))
    .map(({ name, sql }) => {
      const header = headerOf(sql);
      return { name, class: header?.class, worksWith: header?.compatibleWith ?? target.version };
    });
}

/** Migrations with which the build does not work that migrated the database last. */
export function breakingOf(migrations: readonly PlannedMigration[], lastBuild: string | undefined): PlannedMigration[] {
  if (lastBuild === undefined) return [];
  return migrations.filter(({ worksWith }) => compareVersions(worksWith, lastBuild) > 0);
}
