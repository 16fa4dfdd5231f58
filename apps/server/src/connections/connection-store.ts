/** Connections in the database. Their secrets are sealed (`connection-secrets.ts`). */
import type { ConnectionFacts, ConnectionMode } from '@opencashier/core/connections/connection-for';
import type { Queryable, Transaction } from '../database/database.ts';
import type { StoredVersion } from '../database/followed-versions.ts';
import type { AccountTestResult } from '../providers/connection-kind.ts';
import type { SealedRecord } from '../sealing/sealed-record.ts';

/** What may be shown of a secret. */
export interface ShownSecret {
  readonly lastFour: string;
  readonly fingerprint: string;
  /** ISO 8601: when it was set. */
  readonly set: string;
}

export interface ConnectionRow extends ConnectionFacts, SealedRecord {
  readonly operatorId: string;
  readonly version: number;
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  readonly shown: Readonly<Record<string, ShownSecret>>;
  readonly oldSecretsUntil: Date | null;
  readonly testedAt: Date | null;
  readonly testResult: AccountTestResult | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `operator_id as "operatorId", id, version, provider, name, mode, currencies, enabled as "isEnabled",
  first_enabled_at is not null as "wasEnabled", options, sealed, wrapped_key as "wrappedKey", key_id as "keyId", shown,
  old_secrets_until as "oldSecretsUntil", tested_at as "testedAt", test_result as "testResult",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The connections of an operator, in the order in which they were made. */
export function readConnections(queryable: Queryable, operatorId: string): Promise<ConnectionRow[]> {
  return queryable.query<ConnectionRow>({
    name: 'connections-of-operator',
    text: `select ${columns} from provider_connection where operator_id = $1 order by created_at, id`,
    values: [operatorId],
  });
}

export async function readConnection(
  queryable: Queryable,
  operatorId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const [row] = await queryable.query<ConnectionRow>({
    name: 'connection',
    text: `select ${columns} from provider_connection where operator_id = $1 and id = $2`,
    values: [operatorId, id],
  });
  return row;
}

/** The operator and the version of every connection. */
export function readConnectionVersions(queryable: Queryable): Promise<(StoredVersion & { readonly id: string })[]> {
  return queryable.query({
    name: 'connection-versions',
    text: 'select operator_id as "operatorId", id, version from provider_connection',
  });
}

/** The operator of a connection. Undefined: there is no such connection. */
export async function operatorOfConnection(queryable: Queryable, id: string): Promise<string | undefined> {
  const [row] = await queryable.query<{ operatorId: string }>({
    name: 'connection-operator',
    text: 'select operator_id as "operatorId" from provider_connection where id = $1',
    values: [id],
  });
  return row?.operatorId;
}

/** The first key of the advisory locks of connections. The second one is the operator. */
const LOCK = 4_726_004;

/** Reads the connections of an operator, and lets no other change of them in until the end of the transaction. */
export async function lockConnections(transaction: Transaction, operatorId: string): Promise<ConnectionRow[]> {
  await transaction.query({ text: 'select pg_advisory_xact_lock($1, hashtext($2))', values: [LOCK, operatorId] });
  return readConnections(transaction, operatorId);
}

export interface NewConnectionRow
  extends SealedRecord,
    Pick<ConnectionRow, 'operatorId' | 'id' | 'provider' | 'name' | 'currencies' | 'options' | 'shown'> {
  readonly mode: ConnectionMode;
}

/** Adds a connection, switched off. */
export async function insertConnection(transaction: Transaction, row: NewConnectionRow): Promise<ConnectionRow> {
  const [made] = await transaction.query<ConnectionRow>({
    text: `insert into provider_connection
        (operator_id, id, provider, name, mode, currencies, options, shown, sealed, wrapped_key, key_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${columns}`,
    values: [
      row.operatorId,
      row.id,
      row.provider,
      row.name,
      row.mode,
      row.currencies,
      JSON.stringify(row.options),
      JSON.stringify(row.shown),
      row.sealed,
      row.wrappedKey,
      row.keyId,
    ],
  });
  if (made === undefined) throw new Error('The new connection was not returned');
  return made;
}

/**
 * Writes what may change of a connection. The database raises its version.
 * @returns undefined when the stored version is no longer that of the row
 */
export async function saveConnection(transaction: Transaction, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  const [saved] = await transaction.query<ConnectionRow>({
    text: `update provider_connection set name = $4, currencies = $5, options = $6, enabled = $7,
        first_enabled_at = case when $7 then coalesce(first_enabled_at, now()) else first_enabled_at end,
        shown = $8, sealed = $9, wrapped_key = $10, key_id = $11, old_secrets_until = $12, tested_at = $13, test_result = $14
      where operator_id = $1 and id = $2 and version = $3 returning ${columns}`,
    values: [
      row.operatorId,
      row.id,
      row.version,
      row.name,
      row.currencies,
      JSON.stringify(row.options),
      row.isEnabled,
      JSON.stringify(row.shown),
      row.sealed,
      row.wrappedKey,
      row.keyId,
      row.oldSecretsUntil,
      row.testedAt,
      row.testResult,
    ],
  });
  return saved;
}
