/** The table of supported versions has the dates of the version that is built here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './fences.ts';

/** The day of a release, as the heading of its part of the changelog says it. Undefined: it is not released yet. */
function releaseDay(changelog: string, version: string): string | undefined {
  const heading = new RegExp(
    `^## \\[?${version.replaceAll('.', '\\.')}(?:\\.\\d+)?\\]?\\D+(\\d{4}-\\d{2}-\\d{2})`,
    'gm',
  );
  // The newest part stands first, and its patches stand above it.
  return [...changelog.matchAll(heading)].at(-1)?.[1];
}

/** What the column `released` of a version begins with. */
const releasedWords = (changelog: string, version: string): string => releaseDay(changelog, version) ?? 'not yet.';

test('the first row of the table of support is the present version, with the day of its release', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const page = readFileSync(join(root, 'docs/operate.md'), 'utf8');
  const [, table = ''] = /### How long a version is supported\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const [first = ''] = table.split('\n').slice(2);
  const [name, ...others] = first
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean);
  const minor = version.split('.').slice(0, 2).join('.');
  expect(name).toBe(minor);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(others[0]).toMatch(new RegExp(`^${releasedWords(changelog, minor)}`));
  expect(others.join(' ')).toMatch(/\b20\d\d-\d\d-\d\d\b/);
});

test('after a release the row must name its day, and no longer says that there is none', () => {
  const before = '# Changelog\n\n## Unreleased\n';
  expect(releasedWords(before, '0.1')).toBe('not yet.');
  const after = `${before}\n## [0.1.1] - 2027-02-03\n\n## [0.1.0] - 2027-01-02\n`;
  expect(releasedWords(after, '0.1')).toBe('2027-01-02');
  expect(releasedWords(after, '0.2')).toBe('not yet.');
  expect(releasedWords('## 0.1.0 (2027-01-02)\n', '0.1')).toBe('2027-01-02');
});
