/** Operators' own texts in the database. A change must name the version it replaces, and every version is kept. */
import { ownTextsSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Database, Queryable } from '../database/database.ts';
import type { StoredVersion } from '../database/followed-versions.ts';
import { constraintOf } from '../database/pool-database.ts';
import { recordSettingChange } from '../operators/setting-history.ts';
import type { Texts } from './widget-texts.ts';

export type TextsByLocale = ReadonlyMap<string, Texts>;

/** All own texts of an operator, and their version. */
export interface StoredTexts {
  /** 0: no text was ever replaced. */
  readonly version: number;
  /** Languages without own texts are absent. */
  readonly byLocale: TextsByLocale;
  /** Who saved this version, and when. */
  readonly changed?: { readonly staff: string; readonly at: Date };
}

interface TextsRow {
  readonly version: number;
  readonly locale: string;
  readonly texts: unknown;
  readonly staff: string;
  readonly at: Date;
}

/** The current own texts of an operator. */
export async function readOwnTexts(queryable: Queryable, operatorId: string): Promise<StoredTexts> {
  const rows = await queryable.query<TextsRow>({
    name: 'own-texts',
    text: `select version, locale, texts, staff, updated_at as at from own_texts
      where operator_id = $1 order by version desc`,
    values: [operatorId],
  });
  return storedTexts(rows);
}

/**
 * The own texts of an operator in a version, from the history.
 * @returns undefined for a version that never was
 */
export async function readOwnTextsAt(
  queryable: Queryable,
  operatorId: string,
  version: number,
): Promise<StoredTexts | undefined> {
  // The newest change of each language until then. The subquery reads no texts.
  const rows = await queryable.query<TextsRow>({
    name: 'own-texts-at',
    text: `select version, locale, texts, staff, at from own_texts_change
      where operator_id = $1 and version in (
        select max(version) from own_texts_change where operator_id = $1 and version <= $2::int group by locale)
      order by version desc`,
    values: [operatorId, version],
  });
  const stored = storedTexts(rows);
  return stored.version === version ? stored : undefined;
}

/** @param rows one for each language, the newest first */
function storedTexts(rows: readonly TextsRow[]): StoredTexts {
  const [newest] = rows;
  const read = rows.map(({ locale, texts }) => [locale, v.parse(ownTextsSchema, texts)] as const);
  return {
    version: newest?.version ?? 0,
    byLocale: new Map(read.filter(([, texts]) => Object.keys(texts).length > 0)),
    ...(newest && { changed: { staff: newest.staff, at: newest.at } }),
  };
}

/** The operators that have ever replaced a text, and their versions. */
export function readTextVersions(queryable: Queryable): Promise<StoredVersion[]> {
  return queryable.query({
    name: 'own-text-versions',
    text: 'select operator_id as "operatorId", max(version) as version from own_texts group by operator_id',
  });
}

export interface NewTexts {
  /** The version that the change replaces. */
  readonly version: number;
  readonly locale: string;
  readonly texts: Texts;
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
}

/** What the database answers when another change came first. */
const conflicts = ['own_texts_change_pkey', 'own_texts_version_moves'];

/** @returns false when the stored version was another one */
export async function saveOwnTexts(
  database: Database,
  operatorId: string,
  { version, locale, texts, staff, keyId }: NewTexts,
): Promise<boolean> {
  try {
    await database.transaction(async (transaction) => {
      const before = (await readOwnTexts(transaction, operatorId)).byLocale.get(locale);
      await transaction.query({
        text: `insert into own_texts (operator_id, locale, version, texts, staff) values ($1, $2, $3::int + 1, $4, $5)
        on conflict (operator_id, locale) do update set version = excluded.version, texts = excluded.texts,
          staff = excluded.staff, updated_at = now()`,
        values: [operatorId, locale, version, JSON.stringify(texts), staff],
      });
      await recordSettingChange(transaction, {
        operatorId,
        setting: `texts.${locale}`,
        by: staff,
        keyId,
        before: before ?? {},
        after: texts,
      });
    });
    return true;
  } catch (error) {
    if (!conflicts.includes(constraintOf(error) ?? '')) throw error;
    return false;
  }
}

/** Whether exactly this change has been saved. */
export async function isSaved(
  queryable: Queryable,
  operatorId: string,
  { version, locale, texts, staff }: NewTexts,
): Promise<boolean> {
  const rows = await queryable.query({
    text: `select from own_texts_change
      where operator_id = $1 and version = $2::int + 1 and locale = $3 and texts = $4::jsonb and staff = $5`,
    values: [operatorId, version, locale, JSON.stringify(texts), staff],
  });
  return rows.length > 0;
}

/** One saved version, as the history shows it. */
export interface TextsChange extends NewTexts {
  readonly at: Date;
}

/**
 * The newest changes first.
 * @param before the last version of the previous page
 */
export async function readTextChanges(
  queryable: Queryable,
  operatorId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<TextsChange[]> {
  const rows = await queryable.query<TextsRow>({
    text: `select version, locale, texts, staff, at from own_texts_change
      where operator_id = $1 and ($2::int is null or version < $2) order by version desc limit $3`,
    values: [operatorId, before ?? null, limit],
  });
  return rows.map((row) => ({ ...row, texts: v.parse(ownTextsSchema, row.texts) }));
}
