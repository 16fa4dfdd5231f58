/** Signatures of the Standard Webhooks scheme, which its library would calculate in JavaScript, several times slower. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The key of a secret: base64 after `whsec_`. */
export function signingKeyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

/** @param timestamp seconds since the epoch */
export function messageSignature(key: Uint8Array, messageId: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
}
