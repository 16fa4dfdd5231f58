/** The table of supported versions has the dates of the version that is built here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './fences.ts';

test('the first row of the table of support is the present version, with a date', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const page = readFileSync(join(root, 'docs/operate.md'), 'utf8');
  const [, table = ''] = /### How long a version is supported\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const [first = ''] = table.split('\n').slice(2);
  const [name, ...others] = first
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean);
  expect(name).toBe(version.split('.').slice(0, 2).join('.'));
  expect(others.join(' ')).toMatch(/\b20\d\d-\d\d-\d\d\b/);
});
