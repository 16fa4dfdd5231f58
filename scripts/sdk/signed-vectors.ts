/** Calls of the cashier as it signs them, for test vectors. The keys are nobody's. */
import { createHmac } from 'node:crypto';

/** When the calls of the vectors were signed. Seconds since 1970. */
export const signedAt = 1_767_225_600;

export const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;

/** The headers of a call with this body. */
export function signedHeaders(secret: string, id: string, body: string): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${signedAt}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(signedAt), 'webhook-signature': `v1,${mac}` };
}
