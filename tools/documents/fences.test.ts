/** Every fence names its language, and every language has a test or a reason. */
import { expect, test } from 'vitest';
import { codeIn, fences, fencesIn } from './fences.ts';
import { samples } from './samples.mjs';

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

test('every sample of a program is executed, or says why not', () => {
  const programs = codeIn('ts', 'tsx', 'js', 'html');
  const playedBy = ({ path, text }: { path: string; text: string }) =>
    samples.filter(({ document, has }) => document === path && text.includes(has)).length;
  const reason = /^not executed: \S.{15}/;
  const wrong = programs.filter((fence) => playedBy(fence) !== (reason.test(fence.note) ? 0 : 1));
  expect(wrong.map(({ place }) => place)).toEqual([]);
  const gone = samples.filter(
    ({ document, has }) => !programs.some((one) => one.path === document && one.text.includes(has)),
  );
  expect(gone).toEqual([]);
});
