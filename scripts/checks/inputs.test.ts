import { expect, test } from 'vitest';
import { styleInputs, testInputs } from './inputs.mjs';

function inputsOf(test: string, contents: Record<string, string>): string[] | undefined {
  const files = new Map(Object.keys(contents).map((path) => [path, 'a hash']));
  return testInputs(files, (path: string) => contents[path] ?? '').get(test);
}

const test1 = 'apps/widget/src/a.test.ts';

test('a test depends on what it imports, directly or not, and on nothing else', () => {
  expect(
    inputsOf(test1, {
      [test1]: "import { a } from './a.ts';\nconst b = await import('./b.json');",
      'apps/widget/src/a.ts':
        "import { c } from '@opencashier/core/money/c';\nimport './a.css';\nexport * from '../../x.ts';",
      'apps/widget/src/a.css': '',
      'apps/widget/src/b.json': '{}',
      'apps/x.ts': '',
      'packages/core/src/money/c.ts': "import './d.ts';",
      'packages/core/src/money/d.ts': '',
      'packages/core/src/money/other.ts': '',
      'package-lock.json': '{}',
      'vitest.config.ts': "import './packages/core/src/money/other.ts'",
    }),
  ).toEqual([
    'apps/widget/src/a.css',
    'apps/widget/src/a.test.ts',
    'apps/widget/src/a.ts',
    'apps/widget/src/b.json',
    'apps/x.ts',
    'package-lock.json',
    'packages/core/src/money/c.ts',
    'packages/core/src/money/d.ts',
    'vitest.config.ts',
  ]);
});

test('a test depends on the files of a glob, also of one that is new', () => {
  const glob = "import.meta.glob<Readonly<Record<string, string>>>('../**/flow.ts', { eager: true })";
  expect(
    inputsOf('apps/widget/src/a.test.ts', {
      'apps/widget/src/a.test.ts': glob,
      'apps/widget/flow.ts': '',
      'apps/widget/flows/new/flow.ts': '',
      'apps/widget/flows/new/flow.css': '',
      'apps/server/flow.ts': '',
    }),
  ).toEqual(['apps/widget/flow.ts', 'apps/widget/flows/new/flow.ts', 'apps/widget/src/a.test.ts']);
});

test.each([
  ['reads a file', "import { readFileSync } from 'node:fs';"],
  ['starts a program', "import { spawn } from 'node:child_process';"],
  ['builds', "import { build } from 'vite';"],
  ['imports by a computed name', 'await import(nameOf(flow));'],
  ['globs by a list', "import.meta.glob(['./a/*.ts', '!./b.ts'])"],
  ['imports what nobody finds', "import { x } from './generated.ts';"],
])('a test whose code %s depends on every file', (_, code) => {
  expect(inputsOf(test1, { [test1]: "import './a.ts';", 'apps/widget/src/a.ts': code })).toBeUndefined();
});

test('tests of databases, browsers and faults are no tests of the check', () => {
  const others = ['apps/a.integration.test.ts', 'e2e/faults/b.test.ts', 'tools/architecture/canary/c.test.ts'];
  const files = new Map(others.map((path) => [path, 'a hash']));
  expect([...testInputs(files, () => '').keys()]).toEqual([]);
});

test('the style of a file depends on what it imports, directly or not, on the settings, and on nothing else', () => {
  const contents: Record<string, string> = {
    'apps/server/src/a.ts':
      "import { b } from './b.ts';\nimport { readFileSync } from 'node:fs';\nimport './absent.ts';",
    'apps/server/src/b.ts': "export type { C } from '@opencashier/core/c';",
    'apps/server/src/globals.d.ts': '',
    'apps/server/src/other.ts': "import './a.ts';",
    'biome.json': '{}',
    'docs/a.json': '{}',
    'packages/core/src/c.ts': '',
  };
  const { reached: inputs, alone } = styleInputs(
    new Map(Object.keys(contents).map((path) => [path, 'a hash'])),
    (path) => contents[path] ?? '',
  );
  const settings = ['apps/server/src/globals.d.ts', 'biome.json'];
  expect(inputs.get('apps/server/src/a.ts')).toEqual([
    'apps/server/src/a.ts',
    'apps/server/src/b.ts',
    ...settings,
    'packages/core/src/c.ts',
  ]);
  expect(inputs.get('docs/a.json')).toEqual([...settings, 'docs/a.json']);
  expect([...inputs.keys()]).toEqual(Object.keys(contents));
  expect(alone.get('apps/server/src/a.ts')).toEqual(['apps/server/src/a.ts', ...settings]);
});
