/**
 * Signs callbacks by the Standard Webhooks scheme and checks the signatures. The check of the scheme's
 * library is not used, because it reads the machine's clock and accepts malformed headers.
 */
import { randomBytes } from 'node:crypto';
import type { RawCallback, VerifiedCallback } from './provider.ts';
import { isSameSecret, messageSignature } from './signatures.ts';

/** The largest difference between the sender's clock and ours, and so the largest age of a replayed callback. In seconds. */
const TOLERANCE_SECONDS = 300;
/** More than a change of the secret needs. It bounds the work that a stranger can cause. */
const MAX_SIGNATURES = 8;
/** Without a full stop, which separates the signed parts. An id with a full stop could be split in two ways. */
const MESSAGE_ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;

export interface WebhookSignatures {
  /** The three headers of a body. It is signed with every secret, so that a receiver that knows only one of them accepts it. */
  sign(messageId: string, body: string, now: number): Record<string, string>;
  /** Like `sign`, but with a random key that nobody keeps. */
  forge(messageId: string, body: string, now: number): Record<string, string>;
  /** `Provider.verify`, with constant-time comparison. */
  verify(callback: RawCallback): VerifiedCallback;
}

/**
 * @param secrets the newest first, as `whsec_` and base64 of 24 to 64 bytes. Two of them during a change of the secret
 * @throws RangeError when a secret has another form. The message never repeats it
 */
export function createWebhookSignatures(secrets: readonly string[]): WebhookSignatures {
  const keys = secrets.map(toKey);
  if (keys.length === 0) throw new RangeError('Callbacks need at least one secret');

  return {
    sign: (messageId, body, now) => headers(keys, messageId, body, now),
    forge: (messageId, body, now) => headers([randomBytes(32)], messageId, body, now),
    verify: (callback) => verify(keys, callback),
  };
}

function toKey(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (key.length < 24 || key.length > 64) {
    throw new RangeError('A callback secret is `whsec_` followed by base64 of 24 to 64 bytes');
  }
  return key;
}

function headers(keys: readonly Buffer[], messageId: string, body: string, now: number): Record<string, string> {
  const timestamp = Math.floor(now / 1_000);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, messageId, timestamp, body).join(' '),
  };
}

function signatures(keys: readonly Buffer[], messageId: string, timestamp: number, body: string): string[] {
  return keys.map((key) => messageSignature(key, messageId, timestamp, body));
}

function verify(keys: readonly Buffer[], { headers: given, rawBody, receivedAt }: RawCallback): VerifiedCallback {
  const messageId = given['webhook-id'] ?? '';
  const stamp = given['webhook-timestamp'] ?? '';
  const signed = given['webhook-signature'] ?? '';
  if (messageId === '' || stamp === '' || signed === '') return rejected('missing-header');
  if (!MESSAGE_ID.test(messageId)) return rejected('malformed-id');
  if (!TIMESTAMP.test(stamp)) return rejected('malformed-timestamp');
  const timestamp = Number(stamp);
  if (Math.abs(receivedAt / 1_000 - timestamp) > TOLERANCE_SECONDS) return rejected('stale');
  // Text is signed. Different bytes that are not text would all become the same replacement character.
  const body = decode(rawBody);
  if (body === undefined) return rejected('malformed-body');
  const offered = signed.split(' ', MAX_SIGNATURES + 1);
  if (offered.length > MAX_SIGNATURES) return rejected('too-many-signatures');
  const isGenuine = signatures(keys, messageId, timestamp, body)
    .flatMap((expected) => offered.map((one) => isSameSecret(one, expected)))
    .includes(true);
  return isGenuine ? { kind: 'verified', messageId } : rejected('bad-signature');
}

function decode(rawBody: Uint8Array): string | undefined {
  const text = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).toString('utf8');
  return Buffer.compare(Buffer.from(text, 'utf8'), rawBody) === 0 ? text : undefined;
}

const rejected = (reason: string): VerifiedCallback => ({ kind: 'rejected', reason });
