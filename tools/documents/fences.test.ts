/** Every fence names its language, and every language has a test or a reason. */
import { expect, test } from 'vitest';
import { fences, fencesIn } from './fences.ts';

/** Who examines the code of each language. */
const examined: Readonly<Record<string, string>> = {
  bash: 'commands.test.ts',
  console: 'commands.test.ts',
  http: 'requests.test.ts',
  json: 'requests.test.ts',
  yaml: 'requests.test.ts, and the tests of the command line',
  ts: 'snippets.test.ts',
  tsx: 'snippets.test.ts',
  js: 'snippets.test.ts',
  html: 'markup.test.ts',
  sql: 'statements.integration.test.ts',
  python: 'scripts/sdks.mjs',
  php: 'scripts/sdks.mjs',
  go: 'scripts/sdks.mjs',
  mermaid: 'site.test.ts',
  text: 'nobody: it is no code',
};

test('every fence has a language that a test knows, or a reason why it is not run', () => {
  expect(fences.length).toBeGreaterThan(100);
  const unknown = fences.filter(({ language, note }) => !(language in examined) && !/^not run: \S.{15}/.test(note));
  expect(unknown.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
});

test('a fence is found with its line, its note and without its indentation', () => {
  expect(fencesIn('a\n\n   ```bash not run: needs a cluster\n   ls\n     -l\n   ```\n', 'x.md')).toEqual([
    { path: 'x.md', place: 'x.md:3', language: 'bash', note: 'not run: needs a cluster', text: 'ls\n  -l\n' },
  ]);
});
