/**
 * Master keys wrap the data keys of sealed records. A master key comes from the settings or stays in a key management service. Each has
 * a name, which is stored beside what it wraps, so that it can be replaced.
 */
import { hkdfSync } from 'node:crypto';
import { openText, sealText } from './sealed-text.ts';

/** One master key. Its own bytes may be out of reach, in a key management service. */
export interface MasterKey {
  /** Stored with every data key that it wrapped. */
  readonly id: string;
  /**
   * Encrypts a data key of 32 bytes.
   * @param context where the data key belongs; it cannot be unwrapped anywhere else
   * @throws Error when a key management service does not answer in time
   */
  wrap(dataKey: Uint8Array, context: string): Promise<Buffer>;
  /** Undefined when the wrapped key was changed, moved or wrapped by another key. @throws as `wrap` */
  unwrap(wrapped: Buffer, context: string): Promise<Uint8Array | undefined>;
}

/** The master keys of a server. The first wraps, all unwrap. Empty: nothing can be sealed or opened. */
export interface MasterKeys {
  /** The key that wraps. Undefined: the settings name none. */
  readonly newest: MasterKey | undefined;
  byId(id: string): MasterKey | undefined;
}

/** @param keys the newest first */
export function createMasterKeys(keys: readonly MasterKey[]): MasterKeys {
  return { newest: keys[0], byId: (id) => keys.find((key) => key.id === id) };
}

/** A master key whose secret is in the settings. */
export function localMasterKey(id: string, secret: string): MasterKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `master key ${id}`, 32));
  return {
    id,
    wrap: async (dataKey, context) => sealText(key, Buffer.from(dataKey).toString('base64'), context),
    unwrap: async (wrapped, context) => {
      const text = openText(key, wrapped, context);
      return text === undefined ? undefined : Buffer.from(text, 'base64');
    },
  };
}
