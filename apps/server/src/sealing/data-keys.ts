/**
 * Keys of stored data: some data is encrypted, some only hashed to be found again. The newest key encrypts, and all keys decrypt, so
 * a new key is simply put before the others. The id of its key is stored with each text.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { openText, sealText } from './sealed-text.ts';

export interface Sealed {
  readonly keyId: string;
  readonly sealed: Buffer;
}

export interface DataKeys {
  /** The id of the key that encrypts. */
  readonly newest: string;
  /** The ids of the keys that only decrypt. */
  readonly older: readonly string[];
  /** @param context where the text belongs, such as its table and owner; it cannot be decrypted anywhere else */
  seal(text: string, context: string): Sealed;
  /** Undefined when the key is unknown, or when the text was changed or moved. */
  open(sealed: Sealed, context: string): string | undefined;
  /**
   * The HMAC of a value under each key, the newest key first. It finds a value that is not stored.
   * @param purpose makes the HMACs of the same value differ between purposes
   */
  marks(value: string, purpose: string): [Buffer, ...Buffer[]];
}

interface DataKey {
  readonly id: string;
  readonly sealing: Uint8Array;
  readonly marking: Uint8Array;
}

const derived = (secret: string, purpose: string, bytes = 32): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, bytes));

const keyOf = (secret: string): DataKey => ({
  id: Buffer.from(derived(secret, 'data key id', 6)).toString('hex'),
  sealing: derived(secret, 'data sealing'),
  marking: derived(secret, 'data marks'),
});

/** @param secrets the newest first. Nodes that share a database share them */
export function createDataKeys(secrets: readonly [string, ...string[]]): DataKeys {
  const [first, ...more] = secrets;
  const newest = keyOf(first);
  const older = more.map(keyOf).filter(({ id }) => id !== newest.id);
  const mark = ({ marking }: DataKey, value: string, purpose: string): Buffer =>
    createHmac('sha256', marking).update(`${purpose}\0${value}`).digest();
  return {
    newest: newest.id,
    older: older.map(({ id }) => id),
    seal: (text, context) => ({ keyId: newest.id, sealed: sealText(newest.sealing, text, context) }),
    open({ keyId, sealed }, context) {
      const key = [newest, ...older].find(({ id }) => id === keyId);
      return key && openText(key.sealing, sealed, context);
    },
    marks: (value, purpose) => [mark(newest, value, purpose), ...older.map((key) => mark(key, value, purpose))],
  };
}

/**
 * The secrets of the settings, the newest first: those of DATA_KEY, then the secret that signs tokens, which encrypted the data
 * before DATA_KEY was set.
 */
export function dataSecrets(dataKeys: readonly string[], tokenSecret: string): [string, ...string[]] {
  const [first = tokenSecret, ...more] = dataKeys;
  return dataKeys.length === 0 ? [tokenSecret] : [first, ...more, tokenSecret];
}
