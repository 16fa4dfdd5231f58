/** The secrets of a connection: sealed in the database, opened only to make a provider of them. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DomainError } from '../errors/domain-error.ts';
import type { OpenedAccount } from '../providers/connection-kind.ts';
import type { MasterKeys } from '../sealing/master-keys.ts';
import { openRecord, type SealedRecord, SealedRecordError, sealRecord } from '../sealing/sealed-record.ts';
import type { ConnectionRow, ShownSecret } from './connection-store.ts';

const secretsSchema = v.record(v.string(), v.string());
/** What is sealed. `old`: the secrets before the last change. */
const contentSchema = v.object({ secrets: secretsSchema, old: v.optional(secretsSchema) });
export type SecretContent = v.InferOutput<typeof contentSchema>;

type Place = Pick<ConnectionRow, 'operatorId' | 'id'>;

/** Where a sealed record belongs: it opens in no other row. */
export function placeOf({ operatorId, id }: Place): string {
  return `provider_connection ${operatorId} ${id}`;
}

/** @throws DomainError state-conflict without a master key; temporarily-unavailable when its service does not answer */
export async function sealSecrets(keys: MasterKeys, place: Place, content: SecretContent): Promise<SealedRecord> {
  const { newest } = keys;
  if (newest === undefined) throw noMasterKey();
  try {
    return await sealRecord(newest, JSON.stringify(content), placeOf(place));
  } catch (error) {
    throw unreachable(newest.id, error);
  }
}

/** @throws DomainError as `sealSecrets` */
export async function openSecrets(keys: MasterKeys, row: Place & SealedRecord): Promise<SecretContent> {
  if (keys.newest === undefined) throw noMasterKey();
  let text: string;
  try {
    text = await openRecord(keys, row, placeOf(row));
  } catch (error) {
    if (error instanceof SealedRecordError)
      throw new DomainError('state-conflict', error.message, {}, { cause: error });
    throw unreachable(row.keyId, error);
  }
  return v.parse(contentSchema, JSON.parse(text));
}

/** @param now milliseconds since the epoch: old secrets whose time is over are left out */
export function accountOf(row: ConnectionRow, { secrets, old }: SecretContent, now: number): OpenedAccount {
  const isOldValid = old !== undefined && row.oldSecretsUntil !== null && row.oldSecretsUntil.getTime() > now;
  return {
    operatorId: row.operatorId,
    connectionId: row.id,
    secrets,
    options: row.options,
    ...(isOldValid && { oldSecrets: old }),
  };
}

const SHOWN_CHARACTERS = 4;
const FINGERPRINT_DIGITS = 12;

/** What may be shown of a secret. @param at ISO 8601 */
export function shownOf(secret: string, at: string): ShownSecret {
  const fingerprint = createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_DIGITS);
  return { lastFour: secret.slice(-SHOWN_CHARACTERS), fingerprint, set: at };
}

function noMasterKey(): DomainError {
  return new DomainError(
    'state-conflict',
    'The server has no master key, so it can neither seal nor open secrets. Set MASTER_KEY (docs/connections.md) and start it again.',
  );
}

/** The service's own words stay in the cause: they may name addresses of the installation. */
function unreachable(keyId: string, cause: unknown): DomainError {
  return new DomainError(
    'temporarily-unavailable',
    `The master key ${keyId} could not be used, because its key management service did not answer or refused. Try again.`,
    { retryAfterSeconds: 5 },
    { cause },
  );
}
