import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookEvents } from './webhooks.ts';

test('the integration guide has a row for every webhook type, with the text of the contract', () => {
  const guide = readFileSync(new URL('../../../../docs/integrate.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `((?:deposit|withdrawal)\.[a-z_]+)` \| (.+) \|$/gm)].map(([, type, text]) => [
    type,
    text,
  ]);
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(webhookEvents).map(([type, { meaning }]) => [type, meaning])),
  );
});
