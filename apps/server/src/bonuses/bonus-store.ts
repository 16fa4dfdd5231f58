/** Operators' bonuses in the database. A change must name the version it replaces, and every version is kept. */
import { type BonusEngineSetting, type OwnBonus, ownBonusesSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Database, Queryable } from '../database/database.ts';
import { bonusEngineIn } from '../operators/operator-settings.ts';
import { recordSettingChange } from '../operators/setting-history.ts';
import { signingSecrets } from '../operators/signing-secrets.ts';

/** An operator's bonuses and their version. */
export interface StoredBonuses {
  /** 0: the operator never had a bonus. */
  readonly version: number;
  /** In the order in which users see them. */
  readonly bonuses: OwnBonus[];
  /** Who saved this version, and when. */
  readonly changed?: { readonly staff: string; readonly at: Date };
}

interface BonusRow {
  readonly version: number;
  readonly bonuses: unknown;
  readonly staff: string;
  readonly at: Date;
}

/** The current bonuses of an operator; version 0 when nothing was ever saved. */
export async function readBonuses(queryable: Queryable, operatorId: string): Promise<StoredBonuses> {
  const [row] = await queryable.query<BonusRow>({
    name: 'bonus-settings',
    text: 'select version, bonuses, staff, updated_at as at from bonus_settings where operator_id = $1',
    values: [operatorId],
  });
  if (row === undefined) return { version: 0, bonuses: [] };
  const { version, bonuses, staff, at } = row;
  return { version, bonuses: v.parse(ownBonusesSchema, bonuses), changed: { staff, at } };
}

/** What the bonuses of an operator come from at this moment. */
export interface BonusesNow {
  /** The time of the database's clock. Ms since the epoch. */
  readonly now: number;
  /** The operator's own list. */
  readonly bonuses: readonly OwnBonus[];
  /** The operator's own engine, which is on. Undefined: the list counts. */
  readonly engine: EngineAddress | undefined;
}

/** How an operator's bonus engine is asked. */
export interface EngineAddress extends BonusEngineSetting {
  /** Those of the operator's webhooks, newest first. */
  readonly secrets: readonly string[];
}

/** One query, so that a list costs no more. */
export async function readBonusesNow(queryable: Queryable, operatorId: string): Promise<BonusesNow> {
  const [row] = await queryable.query<{ now: Date; bonuses: unknown; engine: unknown; secrets: string[] | null }>({
    name: 'bonuses-now',
    text: `select now() as now, bonuses, settings -> 'bonusEngine' as engine,
        ${signingSecrets} as secrets
      from (select 1) always left join operator on operator.id = $1 left join bonus_settings on operator_id = $1`,
    values: [operatorId],
  });
  if (row === undefined) throw new Error('The database has no clock');
  const { now, bonuses, engine: stored, secrets } = row;
  const engine = bonusEngineIn(stored);
  return {
    now: now.getTime(),
    bonuses: v.parse(ownBonusesSchema, bonuses ?? []),
    engine: engine?.isOn ? { ...engine, secrets: secrets ?? [] } : undefined,
  };
}

export interface NewBonuses {
  /** The version that the change replaces. */
  readonly version: number;
  readonly bonuses: readonly OwnBonus[];
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
}

/**
 * Replaces the given version.
 * @returns false when the stored version was another one
 */
export function saveBonuses(
  database: Database,
  operatorId: string,
  { version, bonuses, staff, keyId }: NewBonuses,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const before = await readBonuses(transaction, operatorId);
    if (before.version !== version) return false;
    const saved = await transaction.query({
      text:
        version === 0
          ? `insert into bonus_settings (operator_id, version, bonuses, staff) values ($1, $2::int + 1, $3, $4)
            on conflict do nothing returning version`
          : `update bonus_settings set version = $2::int + 1, bonuses = $3, staff = $4, updated_at = now()
            where operator_id = $1 and version = $2::int returning version`,
      values: [operatorId, version, JSON.stringify(bonuses), staff],
    });
    if (saved.length === 0) return false;
    await recordSettingChange(transaction, {
      operatorId,
      setting: 'bonuses',
      by: staff,
      keyId,
      before: recorded(before.bonuses),
      after: recorded(bonuses),
    });
    return true;
  });
}

/** So that the history shows only the bonuses that a change concerns. */
function recorded(bonuses: readonly OwnBonus[]): Readonly<Record<string, unknown>> {
  return { bonuses: bonusesById(bonuses), order: bonuses.map(({ id }) => id) };
}

/** The bonuses without their places, to be compared with others. */
export function bonusesById(bonuses: readonly OwnBonus[]): Readonly<Record<string, Omit<OwnBonus, 'id'>>> {
  return Object.fromEntries(bonuses.map(({ id, ...bonus }) => [id, bonus]));
}

/** Gives an operator its first bonuses. An operator that ever had bonuses keeps its own, also when it has removed all. */
export async function seedBonuses(
  queryable: Queryable,
  operatorId: string,
  bonuses: readonly OwnBonus[],
  staff: string,
): Promise<void> {
  await queryable.query({
    text: `insert into bonus_settings (operator_id, version, bonuses, staff) values ($1, 1, $2, $3)
      on conflict do nothing`,
    values: [operatorId, JSON.stringify(bonuses), staff],
  });
}

/** One saved version, as the history shows it. */
export interface BonusChange {
  readonly version: number;
  readonly bonuses: OwnBonus[];
  readonly staff: string;
  readonly at: Date;
}

/**
 * The newest changes first.
 * @param before the last version of the previous page
 */
export async function readBonusChanges(
  queryable: Queryable,
  operatorId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<BonusChange[]> {
  const rows = await queryable.query<BonusRow>({
    text: `select version, bonuses, staff, at from bonus_change
      where operator_id = $1 and ($2::int is null or version < $2) order by version desc limit $3`,
    values: [operatorId, before ?? null, limit],
  });
  return rows.map(({ bonuses, ...row }) => ({ ...row, bonuses: v.parse(ownBonusesSchema, bonuses) }));
}
