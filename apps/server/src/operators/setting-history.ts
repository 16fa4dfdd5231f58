/** The history of an operator's settings: who changed what, and when (SRV-1). Secrets never enter it. */
import { isDeepStrictEqual } from 'node:util';
import { operatorApiName, serverSettingsName } from '@opencashier/contract/operator';
import type { Queryable, Transaction } from '../database/database.ts';

/** A value that JSON can write. A setting that does not exist is `undefined`. */
type Setting = unknown;

/** Who changes a setting. */
export interface Actor {
  /** The member of staff by the operator's own name, or the program that makes the change. */
  readonly by: string;
  /** The API key that sent the change. Absent: the command line or the start of the cashier. */
  readonly keyId?: string | undefined;
}

export interface NewSettingChange extends Actor {
  readonly operatorId: string;
  /** Such as `approvals` or `operator.name`. */
  readonly setting: string;
  /** Amounts are decimal strings, as on the wire. */
  readonly before: Setting;
  readonly after: Setting;
}

/** What a new secret is recorded as. */
export const rotated = 'rotated';
/** `by` of a change by API whose request names no person. */
export const byApi = operatorApiName;
/** `by` of what the server itself sets at a start. */
export const byStart = serverSettingsName;
/** `by` of a change on the command line without `--by`. */
export const byCommandLine = 'opencashier';

/**
 * Records a change in the transaction that makes it. Of two objects only the parts that differ are kept. Equal settings are no change,
 * so nothing is recorded.
 */
export async function recordSettingChange(transaction: Transaction, change: NewSettingChange): Promise<void> {
  const { operatorId, setting, by, keyId } = change;
  const [before, after] = differing(asJson(change.before), asJson(change.after));
  if (isDeepStrictEqual(before, after)) return;
  await transaction.query({
    name: 'setting-change',
    text: `insert into setting_change (operator_id, setting, by, key_id, before, after) values ($1, $2, $3, $4, $5, $6)`,
    values: [operatorId, setting, by, keyId ?? null, written(before), written(after)],
  });
}

/** One change, as the history shows it. */
export interface SettingChange {
  readonly id: string;
  readonly setting: string;
  readonly by: string;
  readonly keyId: string | null;
  readonly before: Setting;
  readonly after: Setting;
  readonly at: Date;
}

/**
 * Changes of an operator's settings, the newest first.
 * @param before the id of the last change of the previous page
 * @param setting only the changes of this setting. `operator.` may be left out, as the API calls these settings without it
 */
export function readSettingChanges(
  queryable: Queryable,
  operatorId: string,
  {
    before,
    limit,
    setting,
  }: { readonly before?: string | undefined; readonly limit: number; readonly setting?: string | undefined },
): Promise<SettingChange[]> {
  return queryable.query({
    text: `select id, setting, by, key_id as "keyId", before, after, at from setting_change
      where operator_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or setting in ($3, 'operator.' || $3))
      order by id desc limit $4`,
    values: [operatorId, before ?? null, setting ?? null, limit],
  });
}

/** The settings of an operator that were ever changed. Those of users and boxes count as one name each, because they may be many. */
export async function changedSettingNames(queryable: Queryable, operatorId: string): Promise<string[]> {
  const rows = await queryable.query<{ name: string }>({
    text: `select distinct case when setting like 'user %' then 'user <userId>' when setting like 'box %' then 'box <boxId>'
        else setting end as name from setting_change where operator_id = $1 order by name`,
    values: [operatorId],
  });
  return rows.map(({ name }) => name);
}

function written(value: Setting): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** As the database returns it: without `undefined`. */
function asJson(value: Setting): Setting {
  return value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value));
}

/** The parts of two values that differ. Lists are compared as a whole. */
function differing(before: Setting, after: Setting): readonly [before: Setting, after: Setting] {
  if (!isRecord(before) || !isRecord(after)) return [before, after];
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => [key, differing(before[key], after[key])] as const);
  const side = (place: 0 | 1): Setting =>
    Object.fromEntries(parts.flatMap(([key, pair]) => (pair[place] === undefined ? [] : [[key, pair[place]]])));
  return [side(0), side(1)];
}

function isRecord(value: Setting): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
