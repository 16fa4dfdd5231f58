import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createHmacVerifier } from './hmac-signature.ts';
import type { RawCallback } from './provider.ts';

const NOW = 1_767_225_600_000;

function callback(secret: string, at = NOW / 1000, body = '{"a":1}'): RawCallback {
  const signature = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  return { headers: { signature: `t=${at},v1=${signature}` }, rawBody: Buffer.from(body), receivedAt: NOW };
}

function verifier(secrets: readonly string[]) {
  return createHmacVerifier({
    secrets,
    parts({ headers, rawBody }) {
      const [, time, signature] = /^t=(\S+),v1=(\w+)$/.exec(headers['signature'] ?? '') ?? [];
      if (time === undefined || signature === undefined) return undefined;
      return { signature, signedAtSeconds: Number(time), messageId: 'evt_1', signed: [`${time}.`, rawBody] };
    },
  });
}

describe('[SRV-4] callbacks signed by an HMAC', () => {
  test('a callback is verified by each of the secrets, and by no other', () => {
    const verify = verifier(['new', 'old']);
    expect(verify(callback('new'))).toEqual({ kind: 'verified', messageId: 'evt_1' });
    expect(verify(callback('old')).kind).toBe('verified');
    expect(verify(callback('stranger'))).toEqual({ kind: 'rejected', reason: 'bad-signature' });
  });

  test('old callbacks, and callbacks whose time is no number, are rejected', () => {
    const verify = verifier(['new']);
    expect(verify(callback('new', NOW / 1000 - 300)).kind).toBe('verified');
    expect(verify(callback('new', NOW / 1000 - 301))).toEqual({ kind: 'rejected', reason: 'stale' });
    expect(verify(callback('new', Number.NaN))).toEqual({ kind: 'rejected', reason: 'stale' });
    expect(verify({ ...callback('new'), headers: {} })).toEqual({ kind: 'rejected', reason: 'malformed-header' });
  });

  test('without a signed time every age is verified, and a retry has the id of the first delivery', () => {
    const sign = (body: string) => createHmac('sha256', 'new').update(body).digest('hex');
    const verify = createHmacVerifier({
      secrets: ['new'],
      parts: ({ headers, rawBody }) => ({ signature: headers['signature'] ?? '', signed: [rawBody] }),
    });
    const sent = { headers: { signature: sign('{}') }, rawBody: Buffer.from('{}'), receivedAt: NOW };
    expect(verify(sent)).toEqual({ kind: 'verified', messageId: sign('{}') });
    expect(verify({ ...sent, receivedAt: NOW + 86_400_000 })).toEqual(verify(sent));
    expect(verify({ ...sent, rawBody: Buffer.from('{ }') })).toEqual({ kind: 'rejected', reason: 'bad-signature' });
    expect(verify({ ...sent, headers: {} })).toEqual({ kind: 'rejected', reason: 'bad-signature' });
  });

  test('an empty secret is refused, because everybody knows it', () => {
    expect(() => verifier([])).toThrow(RangeError);
    expect(() => verifier(['new', ''])).toThrow(RangeError);
  });
});
