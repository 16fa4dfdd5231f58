import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type IncomingHeaders,
  type RawBody,
  type VerifiedWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from './verify-webhook.ts';

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  readonly expect: string;
}

const file = new URL('../../../sdks/vectors/webhooks.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

function outcome({ secrets, headers, now }: Vector, body: RawBody, given: IncomingHeaders): string {
  try {
    const webhook = verifyWebhook(body, given, { secrets, now: now * 1000 });
    return webhook.id === headers['webhook-id'] ? 'ok' : 'another id';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    if (error instanceof TypeError) return 'bad-secret';
    throw error;
  }
}

describe('[SRV-5] the shared vectors of webhooks', () => {
  test('are there, good and bad', () => {
    expect(vectors.filter(({ expect: wanted }) => wanted === 'ok').length).toBeGreaterThan(5);
    expect(vectors.length).toBeGreaterThan(30);
  });

  test.each(vectors)('$name', (vector) => {
    expect(outcome(vector, vector.body, vector.headers)).toBe(vector.expect);
    expect(outcome(vector, Buffer.from(vector.body), new Headers(vector.headers))).toBe(vector.expect);
    // As Astro, Next.js and React Router have it: the bytes of the request, and perhaps a class of headers of their own.
    const bytes = new TextEncoder().encode(vector.body);
    const ofFramework = { get: (name: string) => vector.headers[name] ?? null };
    expect(outcome(vector, bytes.buffer, ofFramework)).toBe(vector.expect);
  });
});

test('one secret may be given as a text', () => {
  const [{ secrets, headers, body, now }] = vectors as [Vector];
  expect(verifyWebhook(body, headers, { secrets: secrets[0] ?? '', now: now * 1000 }).type).toBe('deposit.processed');
});

test('a parsed body is refused with words, because its bytes are lost', () => {
  const [{ secrets, headers, body, now }] = vectors as [Vector];
  expect(() => verifyWebhook(JSON.parse(body), headers, { secrets, now: now * 1000 })).toThrow(/raw bytes/);
});

test('`type` tells the fields of a webhook', () => {
  const read = (event: VerifiedWebhook): string => {
    switch (event.type) {
      case 'deposit.processed':
        expectTypeOf(event.data.paidDebt).toEqualTypeOf<string | undefined>();
        return event.data.depositId;
      case 'withdrawal.settled':
        expectTypeOf(event.data.charged).toBeString();
        return event.data.charged;
      default:
        return event.id;
    }
  };
  const [{ secrets, headers, body, now }] = vectors as [Vector];
  expect(read(verifyWebhook(body, headers, { secrets, now: now * 1000 }))).toMatch(/^0{8}-/);
});
