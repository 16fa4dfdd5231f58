/** The API keys of an operator: listed by the API, made and revoked only by the command line (SRV-1). */
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { hashOfSecretKey, newSecretKey } from './secret-key.ts';
import { type Actor, recordSettingChange } from './setting-history.ts';

/** The label of the demo operator's key, because the settings renew this key at every start. */
export const seedLabel = 'seed';

/** An SQL condition on a row of `operator`: whether the settings renew its key and its addresses at every start. */
export const isSeeded = `exists (select from operator_api_key key
  where key.operator_id = operator.id and key.label = '${seedLabel}' and key.revoked_at is null)`;

export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly created: Date;
  /** When the key stops or has stopped working. Null: it does not expire. */
  readonly until: Date | null;
  readonly isValid: boolean;
}

/** The newest keys first, at most 200. */
export function listApiKeys(queryable: Queryable, operatorId: string): Promise<ApiKey[]> {
  return queryable.query({
    text: `select id, label, created_at as created, revoked_at as until, revoked_at is null or revoked_at > now() as "isValid"
      from operator_api_key where operator_id = $1 order by created_at desc, id limit 200`,
    values: [operatorId],
  });
}

/** Inserts a key and returns its id. Only the hash of the key is stored. */
export async function insertKey(
  transaction: Transaction,
  operatorId: string,
  secretKey: string,
  label = 'command line',
): Promise<string> {
  const [made] = await transaction.query<{ id: string }>({
    text: 'insert into operator_api_key (operator_id, key_hash, label) values ($1, $2, $3) returning id',
    values: [operatorId, hashOfSecretKey(secretKey), label],
  });
  if (made === undefined) throw new Error('A key was inserted without its id');
  return made.id;
}

/** Makes a further key. The others stay valid. */
export function addApiKey(
  database: Database,
  operatorId: string,
  label: string,
  actor: Actor,
): Promise<{ readonly id: string; readonly secretKey: string }> {
  const secretKey = newSecretKey();
  return database.transaction(async (transaction) => {
    const id = await insertKey(transaction, operatorId, secretKey, label);
    const after = { keyId: id, label };
    await recordSettingChange(transaction, {
      operatorId,
      setting: 'operator.secretKey',
      ...actor,
      before: undefined,
      after,
    });
    return { id, secretKey };
  });
}

/** Ends a key at once. @returns false if the operator has no valid key with this id */
export function revokeApiKey(database: Database, operatorId: string, keyId: string, actor: Actor): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [ended] = await transaction.query<{ label: string }>({
      text: `update operator_api_key set revoked_at = now()
        where operator_id = $1 and id = $2 and (revoked_at is null or revoked_at > now()) returning label`,
      values: [operatorId, keyId],
    });
    if (ended === undefined) return false;
    const before = { keyId, label: ended.label };
    await recordSettingChange(transaction, {
      operatorId,
      setting: 'operator.secretKey',
      ...actor,
      before,
      after: undefined,
    });
    return true;
  });
}
