/** Webhooks by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`, with each secret of the sender. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import type { WebhookEvent } from './generated/webhooks.ts';

/** Headers of Node (`request.headers`) or of the web (`Headers`, also those of a framework's own class). */
export type IncomingHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body as it arrived: a text, a `Buffer`, or what `request.arrayBuffer()` answers. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyOptions {
  /** One or more secrets (`whsec_…`). Name the old and the new one while you change the secret. */
  readonly secrets: string | readonly string[];
  /** How far the sender's clock and yours may differ, in seconds; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The time now, in milliseconds since 1970; default: your clock. */
  readonly now?: number | undefined;
}

export type WebhookRefusal = 'missing-header' | 'bad-timestamp' | 'too-old' | 'too-new' | 'bad-signature' | 'bad-body';

/** The message is not a webhook of your cashier, or it was changed or delayed on its way. Answer 400 or 401, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  /** Stable, for your log. */
  readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** A webhook with its `webhook-id`. Deliveries of one webhook share the id: credit once for each. */
export type VerifiedWebhook = WebhookEvent & { readonly id: string };

/**
 * Verifies a webhook and reads it.
 *
 * @param rawBody the bytes as they arrived, before anything has parsed them
 * @throws WebhookVerificationError for a message that is not to be trusted; TypeError for a secret that is none, or a parsed body
 */
export function verifyWebhook(rawBody: RawBody, headers: IncomingHeaders, options: VerifyOptions): VerifiedWebhook {
  const { id, body } = verifySignature(rawBody, headers, options);
  if (typeof body['type'] !== 'string') throw new WebhookVerificationError('bad-body', 'The body names no type.');
  return { ...body, id } as unknown as VerifiedWebhook;
}

/**
 * The part that webhooks and calls to a wallet share.
 *
 * @throws as `verifyWebhook`
 */
export function verifySignature(
  rawBody: RawBody,
  headers: IncomingHeaders,
  { secrets, toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): { readonly id: string; readonly body: Readonly<Record<string, unknown>> } {
  const keys = keysOf(secrets);
  const bytes = bytesOf(rawBody);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  checkTime(timestamp, toleranceSeconds, now);
  const isGood = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
    return signature.split(' ').some((given) => isEqual(given, expected));
  });
  if (!isGood) throw new WebhookVerificationError('bad-signature', 'No signature fits the body and a secret.');
  return { id, body: readBody(bytes) };
}

/** A signature of the scheme, as `webhook-signature` has it. @param timestamp seconds since 1970 */
export function messageSignature(key: Buffer, id: string, timestamp: number | string, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The keys of secrets. Throws TypeError for a secret that is none. */
export function keysOf(secrets: string | readonly string[]): Buffer[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  // Without a secret nothing could be refused.
  if (list.length === 0) throw new TypeError('verifyWebhook needs at least one secret.');
  return list.map((secret) => {
    const encoded = /^whsec_([A-Za-z0-9+/]{20,}={0,2})$/.exec(secret)?.[1];
    if (encoded === undefined) throw new TypeError('A webhook secret is whsec_ and base64. Is the variable set?');
    return Buffer.from(encoded, 'base64');
  });
}

function headerOf(headers: IncomingHeaders, name: string): string {
  // Not by instanceof: a framework may have a class of its own. A header is never a function.
  const value = isReader(headers) ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError('missing-header', `The header ${name} is missing.`);
  }
  return value;
}

function isReader(headers: IncomingHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers['get'] === 'function';
}

/** Classes of another realm are accepted, too: a test runner or a framework may have its own. */
function bytesOf(rawBody: RawBody): Buffer {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (types.isUint8Array(rawBody)) return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (types.isAnyArrayBuffer(rawBody)) return Buffer.from(rawBody);
  // A parsed body has lost its bytes. Written again, it may differ from what was signed.
  throw new TypeError('rawBody must be the raw bytes or text of the request, not a parsed body.');
}

function checkTime(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('bad-timestamp', 'webhook-timestamp must be seconds since 1970.');
  }
  const ageSeconds = Math.floor(now / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('too-old', `The webhook was sent ${ageSeconds} seconds ago.`);
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookVerificationError('too-new', `The webhook is ${-ageSeconds} seconds ahead of this clock.`);
  }
}

function isEqual(given: string, expected: Buffer): boolean {
  if (!given.startsWith('v1,')) return false;
  const bytes = Buffer.from(given.slice(3), 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function readBody(bytes: Buffer): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch {
    // What is no JSON is refused below, with everything else that is no object.
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new WebhookVerificationError('bad-body', 'The body is not a JSON object.');
  }
  return body as Readonly<Record<string, unknown>>;
}
