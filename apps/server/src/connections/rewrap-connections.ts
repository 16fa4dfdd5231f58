/** Wraps the data keys of connections by the newest master key, so that an older one can leave the settings (SRV-4). */
import type { Database, Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type Actor, recordSettingChange } from '../operators/setting-history.ts';
import type { MasterKeys } from '../sealing/master-keys.ts';
import { rewrapRecord, SealedRecordError } from '../sealing/sealed-record.ts';
import { placeOf } from './connection-secrets.ts';
import { type ConnectionRow, readConnection, saveConnection } from './connection-store.ts';

export interface Rewrapped {
  readonly done: number;
  /** Connections whose data key could not be unwrapped, with the reason. They stay as they are. */
  readonly failed: readonly { readonly operatorId: string; readonly id: string; readonly why: string }[];
}

/** Connections by the master key that wrapped their data key. */
export function readMasterKeyUse(queryable: Queryable): Promise<{ readonly keyId: string; readonly count: number }[]> {
  return queryable.query({
    text: `select key_id as "keyId", count(*)::int as count from provider_connection group by key_id order by key_id`,
  });
}

/**
 * Wraps every data key that an older master key wrapped. The sealed secrets stay as they are. A second run continues after a failure.
 * @throws DomainError state-conflict without a master key
 */
export async function rewrapConnections(database: Database, keys: MasterKeys, actor: Actor): Promise<Rewrapped> {
  const { newest } = keys;
  if (newest === undefined)
    throw new DomainError('state-conflict', 'Set MASTER_KEY, with the new key before the old one.');
  const old = await database.query<{ operatorId: string; id: string }>({
    text: `select operator_id as "operatorId", id from provider_connection where key_id <> $1 order by operator_id, id`,
    values: [newest.id],
  });
  let done = 0;
  const failed: { operatorId: string; id: string; why: string }[] = [];
  for (const { operatorId, id } of old) {
    const row = await readConnection(database, operatorId, id);
    if (row === undefined || row.keyId === newest.id) continue;
    try {
      const isSaved = await save(database, actor, row, await rewrapRecord(keys, newest, row, placeOf(row)));
      if (isSaved) done += 1;
      else failed.push({ operatorId, id, why: 'It was changed in the meantime. Run the command again.' });
    } catch (error) {
      if (!(error instanceof SealedRecordError)) throw error;
      failed.push({ operatorId, id, why: error.message });
    }
  }
  return { done, failed };
}

function save(
  database: Database,
  { by, keyId }: Actor,
  row: ConnectionRow,
  wrapped: Pick<ConnectionRow, 'keyId' | 'wrappedKey'>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const saved = await saveConnection(transaction, { ...row, ...wrapped });
    if (saved === undefined) return false;
    await recordSettingChange(transaction, {
      operatorId: row.operatorId,
      setting: `connection ${row.id}`,
      by,
      keyId,
      before: { masterKey: row.keyId },
      after: { masterKey: wrapped.keyId },
    });
    return true;
  });
}
