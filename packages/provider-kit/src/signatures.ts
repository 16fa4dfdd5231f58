/** The parts of which signatures of callbacks are made. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a caller knows a secret or can sign with it. Takes as long for a near miss as for a far one, since the time would
 * tell a caller how many characters are right.
 */
export function isSameSecret(given: string, own: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(own)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const PREFIX = 'whsec_';

/** The key of a secret of Standard Webhooks: base64 after `whsec_`. */
export function signingKeyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

/**
 * A signature of Standard Webhooks. Its library would calculate it in JavaScript, several times slower.
 * @param timestamp seconds since the epoch
 */
export function messageSignature(key: Uint8Array, messageId: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
}
