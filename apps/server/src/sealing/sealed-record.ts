/** Envelope encryption: a record is sealed under a data key of its own, and a master key wraps the data key. */
import { randomBytes } from 'node:crypto';
import type { MasterKey, MasterKeys } from './master-keys.ts';
import { openText, sealText } from './sealed-text.ts';

/** What is stored of a sealed text. */
export interface SealedRecord {
  /** The id of the master key. */
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly sealed: Buffer;
}

/** Why a record could not be opened. The message names keys, never what is sealed. */
export class SealedRecordError extends Error {
  override readonly name = 'SealedRecordError';
}

const DATA_KEY_BYTES = 32;

/** @param context where the record belongs; it can be opened nowhere else */
export async function sealRecord(key: MasterKey, text: string, context: string): Promise<SealedRecord> {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const wrappedKey = await key.wrap(dataKey, context);
  return { keyId: key.id, wrappedKey, sealed: sealText(dataKey, text, context) };
}

/** @throws SealedRecordError when the master key is not among the settings, or the record was changed or moved */
export async function openRecord(keys: MasterKeys, record: SealedRecord, context: string): Promise<string> {
  const text = openText(await dataKeyOf(keys, record, context), record.sealed, context);
  if (text === undefined) throw new SealedRecordError('The sealed record was changed or moved.');
  return text;
}

/**
 * Wraps the data key of a record by another master key. What is sealed stays as it is.
 * @throws SealedRecordError
 */
export async function rewrapRecord(
  keys: MasterKeys,
  to: MasterKey,
  record: SealedRecord,
  context: string,
): Promise<Pick<SealedRecord, 'keyId' | 'wrappedKey'>> {
  const dataKey = await dataKeyOf(keys, record, context);
  return { keyId: to.id, wrappedKey: await to.wrap(dataKey, context) };
}

async function dataKeyOf(keys: MasterKeys, { keyId, wrappedKey }: SealedRecord, context: string): Promise<Uint8Array> {
  const key = keys.byId(keyId);
  if (key === undefined) {
    throw new SealedRecordError(`The master key ${keyId} is not in MASTER_KEY. Add it behind the newest one.`);
  }
  const dataKey = await key.unwrap(wrappedKey, context);
  if (dataKey === undefined) {
    throw new SealedRecordError(`The master key ${keyId} does not unwrap this record. Its secret may be another one.`);
  }
  return dataKey;
}
