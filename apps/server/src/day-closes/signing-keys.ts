/** The Ed25519 keys that sign the closes of days. Each operator has its own, and its private part is sealed. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { CloseKey } from '@opencashier/contract/operator';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { DataKeys } from '../sealing/data-keys.ts';

interface KeyRow {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly sealed: Buffer;
  readonly dataKey: string;
  readonly at: Date;
}

const COLUMNS = `id, public_key as "publicKey", sealed, data_key as "dataKey", at`;

/** What signs one document. */
export interface Signer {
  /** The row of the key. */
  readonly id: string;
  sign(text: string): Buffer;
}

/** The newest key of the operator; its first one is made here. @throws DomainError state-conflict when its seal cannot be opened */
export async function signerOf(transaction: Transaction, dataKeys: DataKeys, operatorId: string): Promise<Signer> {
  const [known] = await transaction.query<KeyRow>({
    text: `select ${COLUMNS} from day_close_key where operator_id = $1 order by id desc limit 1 for update`,
    values: [operatorId],
  });
  if (known === undefined) return addSigningKey(transaction, dataKeys, operatorId);
  const text = dataKeys.open({ keyId: known.dataKey, sealed: known.sealed }, contextOf(operatorId));
  if (text === undefined) {
    throw new DomainError(
      'state-conflict',
      `The key that signs closes is sealed by the data key ${known.dataKey}. Add it to DATA_KEY again, or run \`opencashier day-closes new-key\`.`,
    );
  }
  if (known.dataKey !== dataKeys.newest) {
    const { keyId, sealed } = dataKeys.seal(text, contextOf(operatorId));
    await transaction.query({
      text: 'update day_close_key set sealed = $3, data_key = $4 where operator_id = $1 and id = $2',
      values: [operatorId, known.id, sealed, keyId],
    });
  }
  return signerWith(known.id, createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }));
}

/** Makes a new key, which signs from now on. Older closes stay signed by their own keys. */
export async function addSigningKey(transaction: Transaction, dataKeys: DataKeys, operatorId: string): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const { keyId, sealed } = dataKeys.seal(text, contextOf(operatorId));
  const [made] = await transaction.query<{ id: string }>({
    text: 'insert into day_close_key (operator_id, public_key, sealed, data_key) values ($1, $2, $3, $4) returning id',
    values: [operatorId, publicKey.export({ format: 'der', type: 'spki' }), sealed, keyId],
  });
  if (made === undefined) throw new Error('The key was not written');
  return signerWith(made.id, privateKey);
}

function signerWith(id: string, key: KeyObject): Signer {
  return { id, sign: (text) => sign(null, Buffer.from(text), key) };
}

function contextOf(operatorId: string): string {
  return `day_close_key ${operatorId}`;
}

/** The newest first. */
export async function listSigningKeys(queryable: Queryable, operatorId: string): Promise<CloseKey[]> {
  const rows = await queryable.query<KeyRow>({
    text: `select ${COLUMNS} from day_close_key where operator_id = $1 order by id desc`,
    values: [operatorId],
  });
  return rows.map(({ publicKey, at }) => ({
    keyId: keyIdOf(publicKey),
    publicKey: pemOf(publicKey),
    since: at.toISOString(),
  }));
}

/** SHA-256 of a public key as DER, in hexadecimal digits. */
export function keyIdOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex');
}

function pemOf(publicKey: Buffer): string {
  return createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    .export({ format: 'pem', type: 'spki' })
    .toString();
}

/** A public key from PEM, with its id. @throws Error for a text that is no Ed25519 key */
export function readPublicKey(pem: string): { readonly keyId: string; readonly key: KeyObject } {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is no Ed25519 key');
  return { keyId: keyIdOf(key.export({ format: 'der', type: 'spki' })), key };
}

/** True when the signature of the text is by this key. */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}
