import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { asEntry, asModule } from './react-modules.ts';

const require = createRequire(import.meta.url);

test.each([
  'react/cjs/react.production.js',
  'react/cjs/react-jsx-runtime.production.js',
  'react-dom/cjs/react-dom.production.js',
  'react-dom/cjs/react-dom-client.production.js',
  'scheduler/cjs/scheduler.production.js',
])('%s has the same parts as a module', (file) => {
  const code = readFileSync(fileOf(file), 'utf8');
  const module = asModule(code);

  expect(exportsOf(module)).toEqual(Object.keys(require(fileOf(file))).sort());
  // One line more, the last: all others are where the map of the source looks for them.
  expect(module.trimEnd().split('\n')).toHaveLength(code.split('\n').length + 1);
});

test('hooks of the module speak to the same renderer as those of the published file', async () => {
  const code = readFileSync(fileOf('react/cjs/react.production.js'), 'utf8');
  const react = await import(`data:text/javascript,${encodeURIComponent(asModule(code))}`);
  const renderer = { useState: (initial: unknown) => [initial, 'set'] };
  react.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE.H = renderer;

  expect(react.useState(5)).toEqual([5, 'set']);
});

test('what is written in a way that is not known stops the build', () => {
  expect(() => asModule('module.exports = { useState };')).toThrow('otherwise');
  expect(() => asModule('exports.a = 1;\nconst b = require("b").c;')).toThrow('require("b").c');
  expect(() => asModule('export const a = 1;')).toThrow('otherwise');
  expect(() => asEntry('module.exports = 1;')).toThrow('production');
  expect(asEntry(readFileSync(require.resolve('react-dom/client'), 'utf8'))).toBe(
    "export * from './cjs/react-dom-client.production.js';",
  );
});

/** The packages name no files within: they are found beside their entry file. `scheduler` is a dependency of React DOM. */
function fileOf(file: string): string {
  const name = file.split('/')[0] ?? '';
  const entry = createRequire(require.resolve('react-dom')).resolve(name);
  return entry.replace(/index\.js$/, file.slice(name.length + 1));
}

function exportsOf(code: string): string[] {
  return parseAst(code)
    .body.flatMap((node) => (node.type === 'ExportNamedDeclaration' ? node.specifiers : []))
    .map(({ exported }) => ('name' in exported ? exported.name : ''))
    .sort();
}
