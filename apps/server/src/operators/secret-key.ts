/** Secret keys of operators' backends. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, so that nobody can find the key from a plain hash. */
export function newSecretKey(): string {
  return `sk_${randomBytes(32).toString('base64url')}`;
}

/** The stored form of a secret key. The key has 256 random bits, so nobody can find it from a plain hash. */
export function hashOfSecretKey(secretKey: string): Buffer {
  return createHash('sha256').update(secretKey).digest();
}
