/** The page about security must not promise what no test proves: every test that it names must exist. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/security.md`, 'utf8');

/** A test's file in backticks, its requirements, and the words of its title when it has no requirement. */
const named = /`([\w./-]+\.(?:test|spec)\.tsx?)`((?: \[[A-Z]+-\d+\])*)(?: “([^”]+)”)?/g;
const proofs = [...page.matchAll(named)].map(([, file = '', ids = '', words]) => ({
  file,
  ids: ids.match(/\[[^\]]+\]/g) ?? [],
  words,
}));

test('every threat names a proof', () => {
  const [, threats = ''] = /## Threats\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = threats.split('\n').filter((line) => /^\| (?!threat)[^-]/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(row.split('|')[3], row).toMatch(/\.(?:test|spec)\.tsx?`/);
});

test.each(proofs)('$file holds $ids $words', ({ file, ids, words }) => {
  expect(existsSync(`${root}${file}`), file).toBe(true);
  const text = readFileSync(`${root}${file}`, 'utf8');
  for (const id of ids) expect(text, `${file} proves no ${id}`).toContain(id);
  if (words !== undefined) expect(text, `${file} has no such test`).toContain(words);
});
