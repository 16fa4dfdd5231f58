/** What a web-hook carries that must not lie readable in the database: encrypted from the commit to the delivery. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Seal {
  close(data: Readonly<Record<string, string>>): Buffer;
  /** Undefined where it was closed under another secret, or changed since. */
  open(sealed: Buffer): Record<string, string> | undefined;
}

/** @param secret of the server; nodes that share a database share it */
export function createSeal(secret: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'web-hook data', 32));
  return {
    close(data) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(sealed) {
      const tagEnd = NONCE_BYTES + TAG_BYTES;
      if (sealed.length < tagEnd) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd));
      const text = decipher.update(sealed.subarray(tagEnd));
      try {
        return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as Record<string, string>;
      } catch {
        // The tag does not fit: nothing of it is believed.
        return undefined;
      }
    },
  };
}
