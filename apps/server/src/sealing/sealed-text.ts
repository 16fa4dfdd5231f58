/** Text that must not be readable in the database: AES-256-GCM, which also detects every change. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param context where the text belongs; it cannot be decrypted anywhere else. It is not stored with the text */
export function sealText(key: Uint8Array, text: string, context = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when the text was encrypted under another key or context, or was changed since. */
export function openText(key: Uint8Array, sealed: Buffer, context = ''): string | undefined {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  if (sealed.length < tagEnd) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd));
  const text = decipher.update(sealed.subarray(tagEnd));
  try {
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    // The tag does not fit, so the text was changed.
    return undefined;
  }
}
