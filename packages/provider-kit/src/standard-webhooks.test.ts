import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWebhookSignatures } from './standard-webhooks.ts';

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const OLD = secretOf(1);
const NEW = secretOf(2);
const NOW = 1_767_225_600_000;
const BODY = '{"id":"evt_1"}';

const signatures = createWebhookSignatures([NEW]);
const raw = (headers: Record<string, string | undefined>, body = BODY, receivedAt = NOW) => ({
  headers,
  rawBody: Buffer.from(body),
  receivedAt,
});

describe('callback signatures', () => {
  test('[SRV-4] a signed callback is accepted', () => {
    expect(signatures.verify(raw(signatures.sign('evt_1', BODY, NOW)))).toEqual({
      kind: 'verified',
      messageId: 'evt_1',
    });
  });

  test('the signature follows the Standard Webhooks scheme', () => {
    const headers = signatures.sign('evt_1', BODY, NOW);
    const expected = createHmac('sha256', Buffer.alloc(32, 2))
      .update(`evt_1.${NOW / 1_000}.${BODY}`)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('[SRV-4] a forged callback is refused', () => {
    expect(signatures.verify(raw(signatures.forge('evt_1', BODY, NOW)))).toEqual({
      kind: 'rejected',
      reason: 'bad-signature',
    });
  });

  test.each([
    [300, 'verified'],
    [-300, 'verified'],
    [301, 'rejected'],
    [-301, 'rejected'],
  ])('a callback that is %i seconds old is %s', (seconds, kind) => {
    const headers = signatures.sign('evt_1', BODY, NOW);
    expect(signatures.verify(raw(headers, BODY, NOW + seconds * 1_000)).kind).toBe(kind);
  });

  test('one changed bit in body, id or time invalidates the signature', () => {
    const headers = signatures.sign('evt_1', BODY, NOW);
    fc.assert(
      fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 0, max: 6 }), (index, bit) => {
        const changed = Buffer.from(BODY);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        const verdict = signatures.verify({ headers, rawBody: changed, receivedAt: NOW });
        expect(verdict).toEqual({ kind: 'rejected', reason: 'bad-signature' });
      }),
    );
    expect(signatures.verify(raw({ ...headers, 'webhook-id': 'evt_2' })).kind).toBe('rejected');
    expect(signatures.verify(raw({ ...headers, 'webhook-timestamp': String(NOW / 1_000 + 1) })).kind).toBe('rejected');
  });

  test.each([
    ['webhook-id', undefined, 'missing-header'],
    ['webhook-timestamp', undefined, 'missing-header'],
    ['webhook-signature', undefined, 'missing-header'],
    ['webhook-signature', '', 'missing-header'],
    ['webhook-id', 'evt.1', 'malformed-id'],
    ['webhook-timestamp', `${NOW / 1_000}abc`, 'malformed-timestamp'],
    ['webhook-timestamp', `0${NOW / 1_000}`, 'malformed-timestamp'],
    ['webhook-signature', 'v1,', 'bad-signature'],
    ['webhook-signature', 'nonsense', 'bad-signature'],
    ['webhook-signature', Array(9).fill('v1,x').join(' '), 'too-many-signatures'],
  ])('%s of %j is refused as %s', (name, value, reason) => {
    const headers = { ...signatures.sign('evt_1', BODY, NOW), [name]: value };
    expect(signatures.verify(raw(headers))).toEqual({ kind: 'rejected', reason });
  });

  test('a signature of another version is refused', () => {
    const headers = signatures.sign('evt_1', BODY, NOW);
    const other = { ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1,', 'v2,') };
    expect(signatures.verify(raw(other)).kind).toBe('rejected');
  });

  test('a body that is not text is refused, though the library would accept its replacement characters', () => {
    const headers = signatures.sign('evt_1', '\ufffd', NOW);
    expect(signatures.verify({ headers, rawBody: Uint8Array.of(0xff), receivedAt: NOW })).toEqual({
      kind: 'rejected',
      reason: 'malformed-body',
    });
  });

  test('during a change of the secret both secrets are valid, and afterwards only the new one', () => {
    const rotating = createWebhookSignatures([NEW, OLD]);
    const before = createWebhookSignatures([OLD]);
    const byOld = raw(before.sign('evt_1', BODY, NOW));
    expect(rotating.verify(byOld).kind).toBe('verified');
    expect(rotating.verify(raw(signatures.sign('evt_1', BODY, NOW))).kind).toBe('verified');
    expect(signatures.verify(byOld).kind).toBe('rejected');
    // Receivers on either side of the change know one of the two.
    const byBoth = raw(rotating.sign('evt_1', BODY, NOW));
    expect([before.verify(byBoth).kind, signatures.verify(byBoth).kind]).toEqual(['verified', 'verified']);
  });

  test.each(['', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${Buffer.alloc(65).toString('base64')}`, OLD.slice(6)])(
    'the secret %j is refused, and the error does not repeat it',
    (secret) => {
      expect(() => createWebhookSignatures([secret])).toThrow(
        'A callback secret is `whsec_` followed by base64 of 24 to 64 bytes',
      );
    },
  );
});
