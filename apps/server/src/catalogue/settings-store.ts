/** Operators' catalogue settings in the database. A change must name the version it replaces, and every version is kept. */
import { type CatalogueSettings, catalogueSettingsSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Database, Queryable } from '../database/database.ts';
import type { StoredVersion } from '../database/followed-versions.ts';
import { constraintOf } from '../database/pool-database.ts';
import { recordSettingChange } from '../operators/setting-history.ts';
import { noSettings } from './own-settings.ts';

/** An operator's current settings and their version. */
export interface StoredSettings {
  /** 0: no settings were ever saved. */
  readonly version: number;
  readonly settings: CatalogueSettings;
  /** Who saved this version, and when. */
  readonly changed?: { readonly staff: string; readonly at: Date };
}

interface SettingsRow {
  version: number;
  settings: unknown;
  staff: string;
  at: Date;
}

/** The current settings of an operator; version 0 when nothing was ever saved. */
export async function readSettings(queryable: Queryable, operatorId: string): Promise<StoredSettings> {
  const [row] = await queryable.query<SettingsRow>({
    name: 'catalogue-settings',
    text: 'select version, settings, staff, updated_at as at from catalogue_settings where operator_id = $1',
    values: [operatorId],
  });
  if (row === undefined) return { version: 0, settings: noSettings };
  const { version, settings, staff, at } = row;
  return { version, settings: v.parse(catalogueSettingsSchema, settings), changed: { staff, at } };
}

/** The operators with settings, and their versions. */
export function readVersions(queryable: Queryable): Promise<StoredVersion[]> {
  return queryable.query({
    name: 'catalogue-versions',
    text: 'select operator_id as "operatorId", version from catalogue_settings',
  });
}

interface NewSettings {
  readonly version: number;
  readonly settings: CatalogueSettings;
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
  /** The settings of `version`, for the history. */
  readonly before: CatalogueSettings;
}

/**
 * Replaces the given version.
 * @returns false when the stored version was another one
 */
export async function saveSettings(
  database: Database,
  operatorId: string,
  { version, settings, staff, keyId, before }: NewSettings,
): Promise<boolean> {
  try {
    return await database.transaction(async (transaction) => {
      const saved = await transaction.query({
        text:
          version === 0
            ? `insert into catalogue_settings (operator_id, version, settings, staff) values ($1, $2 + 1, $3, $4)
            on conflict do nothing returning version`
            : `update catalogue_settings set version = $2::int + 1, settings = $3, staff = $4
            where operator_id = $1 and version = $2 returning version`,
        values: [operatorId, version, JSON.stringify(settings), staff],
      });
      if (saved.length === 0) return false;
      await recordSettingChange(transaction, {
        operatorId,
        setting: 'catalogue',
        by: staff,
        keyId,
        before,
        after: settings,
      });
      return true;
    });
  } catch (error) {
    // Of two concurrent first changes, the trigger stores the second's history before the row's own conflict is found.
    if (constraintOf(error) !== 'catalogue_change_pkey') throw error;
    return false;
  }
}

/** One saved version, as the history shows it. */
export interface SettingsChange {
  readonly version: number;
  readonly settings: CatalogueSettings;
  readonly staff: string;
  readonly at: Date;
}

/**
 * The newest changes first.
 * @param before the last version of the previous page
 */
export async function readChanges(
  queryable: Queryable,
  operatorId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<SettingsChange[]> {
  const rows = await queryable.query<SettingsRow>({
    text: `select version, settings, staff, at from catalogue_change
      where operator_id = $1 and ($2::int is null or version < $2) order by version desc limit $3`,
    values: [operatorId, before ?? null, limit],
  });
  return rows.map(({ settings, ...row }) => ({ ...row, settings: v.parse(catalogueSettingsSchema, settings) }));
}

/** The settings of one version. Undefined when there is no such version. */
export async function readVersion(
  queryable: Queryable,
  operatorId: string,
  version: number,
): Promise<CatalogueSettings | undefined> {
  const [row] = await queryable.query<{ settings: unknown }>({
    text: 'select settings from catalogue_change where operator_id = $1 and version = $2',
    values: [operatorId, version],
  });
  return row && v.parse(catalogueSettingsSchema, row.settings);
}
