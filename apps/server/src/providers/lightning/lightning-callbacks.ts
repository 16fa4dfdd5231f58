/** Checks the webhooks of phoenixd. Their content is not believed: the provider asks the node about the payment that they name. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { RawCallback, VerifiedCallback } from '../provider.ts';

const TOLERANCE_MS = 300_000;

const bodySchema = v.object({
  type: v.string(),
  paymentHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** When the node sent it, in ms since the epoch. */
  timestamp: v.pipe(v.number(), v.safeInteger()),
});

/** @param secrets several during a change of the secret */
export function verifyWebhook(
  secrets: readonly string[],
  { headers, rawBody, receivedAt }: RawCallback,
): VerifiedCallback {
  const signature = headers['x-phoenix-signature'];
  if (signature === undefined) return { kind: 'rejected', reason: 'no-signature' };
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
  const isSigned = secrets.some((secret) => {
    const right = createHmac('sha256', secret).update(rawBody).digest();
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isSigned) return { kind: 'rejected', reason: 'wrong-signature' };
  const body = readWebhook(rawBody);
  if (body === undefined) return { kind: 'rejected', reason: 'not-readable' };
  if (Math.abs(receivedAt - body.timestamp) > TOLERANCE_MS) return { kind: 'rejected', reason: 'too-old' };
  // An invoice is paid once, so its hash names the message.
  return { kind: 'verified', messageId: `${body.type}:${body.paymentHash}` };
}

/** Undefined for a body that makes no sense. */
export function readWebhook(rawBody: Uint8Array): v.InferOutput<typeof bodySchema> | undefined {
  try {
    const result = v.safeParse(bodySchema, JSON.parse(Buffer.from(rawBody).toString('utf8')));
    return result.success ? result.output : undefined;
  } catch {
    // The body is not JSON.
    return undefined;
  }
}
