/** Callbacks that are signed by an HMAC in a header, as many companies do it, each a little differently. */
import { createHmac } from 'node:crypto';
import type { RawCallback, VerifiedCallback } from './provider.ts';
import { isSameSecret } from './signatures.ts';

export interface HmacScheme {
  /** The company's secrets, the newest first. Two of them while a secret is changed. */
  readonly secrets: readonly string[];
  /** What the company wrote into the callback. `undefined`: a header is missing or has another form. */
  parts(callback: RawCallback): HmacParts | undefined;
  /** Default: `sha256`. */
  readonly algorithm?: 'sha256' | 'sha512';
  /** Default: `hex`. */
  readonly encoding?: 'hex' | 'base64';
}

export interface HmacParts {
  /** The signature, without a prefix such as `sha256=`. */
  readonly signature: string;
  /**
   * When the company signed, in seconds since the epoch. The signature must cover it. Absent: the company signs no time, and its
   * retries keep the first signature. Then a callback of any age is verified, as a lost chargeback is worse than a replay. A replay
   * books nothing, because each `eventId` is booked once.
   */
  readonly signedAtSeconds?: number;
  /** The company's id of the message. The signature must cover it. Absent: the signature itself, which a retry repeats. */
  readonly messageId?: string;
  /** What the company signs, in order. The raw bytes of the body are one part. */
  readonly signed: readonly (string | Uint8Array)[];
}

/** The largest age of a callback whose time is signed. An older one may be a replay. */
const TOLERANCE_SECONDS = 300;
const MESSAGE_ID = /^[\w.:-]{1,128}$/;

/**
 * `Provider.verify` for a scheme. Compares in constant time. Where the company signs a time, refuses callbacks older than five minutes.
 * @throws RangeError when no secret is given, or an empty one, as a forgery would then be accepted
 */
export function createHmacVerifier(scheme: HmacScheme): (callback: RawCallback) => VerifiedCallback {
  const { secrets, algorithm = 'sha256', encoding = 'hex' } = scheme;
  if (secrets.length === 0 || secrets.some((secret) => secret === '')) {
    throw new RangeError('Signatures need at least one secret, and none that is empty');
  }
  return (callback) => {
    const parts = scheme.parts(callback);
    if (parts === undefined) return rejected('malformed-header');
    const { signature, signedAtSeconds, messageId, signed } = parts;
    if (messageId !== undefined && !MESSAGE_ID.test(messageId)) return rejected('malformed-id');
    if (signedAtSeconds !== undefined) {
      const age = Math.abs(callback.receivedAt / 1_000 - signedAtSeconds);
      // Not `age >`: a time that is no number must not pass.
      if (!(age <= TOLERANCE_SECONDS)) return rejected('stale');
    }
    const isGenuine = secrets
      .map((secret) => {
        const hmac = createHmac(algorithm, secret);
        for (const part of signed) hmac.update(part);
        return isSameSecret(signature, hmac.digest(encoding));
      })
      .includes(true);
    return isGenuine ? { kind: 'verified', messageId: messageId ?? signature } : rejected('bad-signature');
  };
}

const rejected = (reason: string): VerifiedCallback => ({ kind: 'rejected', reason });
