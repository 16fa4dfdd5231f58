/** The secrets of a connection: sealed in the database, opened only to make a provider of them. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DomainError } from '../errors/domain-error.ts';
import type { OpenedAccount } from '../providers/connection-kind.ts';
import type { MasterKeys } from '../sealing/master-keys.ts';
import { openRecord, type SealedRecord, SealedRecordError, sealRecord } from '../sealing/sealed-record.ts';
import type { ConnectionRow, ShownSecret } from './connection-store.ts';

const secretsSchema = v.record(v.string(), v.string());
/**
 * What is sealed. `old`: the value of each secret before its last change. `oldUntil`: when callbacks may no longer be signed with it, as
 * ISO 8601. It stands beside `old`, which an earlier build reads, too. Records of earlier builds have one time for all, in the row.
 */
const contentSchema = v.object({
  secrets: secretsSchema,
  old: v.optional(secretsSchema),
  oldUntil: v.optional(secretsSchema),
});
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

interface OldSecret {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Old secrets with which callbacks may still be signed, by name.
 * @param now milliseconds since the epoch
 */
export function validOldSecrets(
  { oldSecretsUntil }: Pick<ConnectionRow, 'oldSecretsUntil'>,
  { old = {}, oldUntil = {} }: SecretContent,
  now: number,
): ReadonlyMap<string, OldSecret> {
  const ofRow = oldSecretsUntil?.getTime() ?? 0;
  const all = Object.entries(old).map(([name, secret]) => {
    const until = oldUntil[name];
    return [name, { secret, until: until === undefined ? ofRow : Date.parse(until) }] as const;
  });
  return new Map(all.filter(([, { until }]) => until > now));
}

/** @param now milliseconds since the epoch: old secrets whose time is over are left out */
export function accountOf(row: ConnectionRow, content: SecretContent, now: number): OpenedAccount {
  const { secrets } = content;
  const valid = [...validOldSecrets(row, content, now)].map(([name, { secret }]) => [name, secret] as const);
  return {
    operatorId: row.operatorId,
    connectionId: row.id,
    secrets,
    options: row.options,
    // A whole set, because a package reads callbacks with all its secrets.
    ...(valid.length > 0 && { oldSecrets: { ...secrets, ...Object.fromEntries(valid) } }),
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
