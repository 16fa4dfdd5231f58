import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signWebhook } from './send-webhook.ts';

interface Vector {
  readonly name: string;
  readonly secrets: readonly [string, ...string[]];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

test('[SRV-5] the server signs as the vectors of the SDKs say', () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../../../sdks/vectors/webhooks.json', import.meta.url), 'utf8'),
  ) as Vector[];
  const good = vectors.filter(({ name }) => /^good(?:$|: a t)/.test(name));
  expect(good).toHaveLength(3);
  for (const { name, secrets, headers, body } of good) {
    const at = Number(headers['webhook-timestamp']) * 1000;
    expect(signWebhook({ id: headers['webhook-id'] ?? '', secrets, body }, at), name).toEqual(headers);
  }
});
