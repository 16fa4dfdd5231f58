/** Which files a test or the style of a file depends on. `npm run check` repeats both only after a change of one of them. */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from '../machine/paths.mjs';
import { importsOf, reachedFrom } from './imports.mjs';

/** Settings and set-up that every test has. The lockfile stands for node_modules. */
const ofEveryTest =
  /^(?:package-lock\.json|package\.json|tsconfig\.json|vitest\.config\.ts|tools\/testing\/.*|scripts\/machine\/slowness\.mjs)$/;
const isCode = (path) => /\.[cm]?[jt]sx?$/.test(path);
const isTest = (path) =>
  /\.test\.tsx?$/.test(path) &&
  !path.endsWith('.integration.test.ts') &&
  !path.startsWith('e2e/') &&
  !path.startsWith('tools/architecture/canary/');

/** Such code finds files in ways that its text does not show. So its tests depend on every file. */
const readsFiles =
  /['"](?:node:)?(?:fs|fs\/promises|child_process|module|worker_threads)['"]|import\.meta\.resolve|\bimport\((?!\s*['"])|from 'vite'/;
/** Every quoted text that may name a file. More than the imports is harmless: the test runs once too often. */
const mayNameFile = /['"`]((?:\.{1,2}\/|@opencashier\/)[^'"`\n${}]*)['"`]/g;
const calledGlob = /import\.meta\.glob\b/g;
const literalGlob = /import\.meta\.glob(?:<(?:[^()'"]|\([^()]*\))*>)?\(\s*['"](\.[^'"]+)['"]/g;

/**
 * @param {Map<string, string>} files hashes by path
 * @param {(path: string) => string} [read]
 * @returns {Map<string, string[] | undefined>} for each test file the files that it depends on; undefined: on all of them
 */
export function testInputs(files, read = (path) => readFileSync(join(root, path), 'utf8')) {
  const common = [...files.keys()].filter((path) => ofEveryTest.test(path));
  const known = new Map();
  const edgesOf = (path) => {
    if (!known.has(path)) known.set(path, isCode(path) ? edges(path, read(path), files) : []);
    return known.get(path);
  };
  return new Map(
    [...files.keys()].filter(isTest).map((test) => {
      const reached = reachedFrom([...common, test], (path) => (common.includes(path) ? [] : edgesOf(path)));
      return [test, reached && [...reached].sort()];
    }),
  );
}

/**
 * @param {Map<string, string>} files hashes by path
 * @param {(path: string) => string} [read]
 * @returns {(test: string) => string[]} the files that a test file names itself; none for one that depends on every file
 */
export function namesOf(files, read = (path) => readFileSync(join(root, path), 'utf8')) {
  return (test) => edges(test, read(test), files) ?? [];
}

/** Settings of the style, and what they say about files. */
const ofEveryStyle = /^(?:biome\.json|tsconfig\.json|(?:.*\/)?package\.json|package-lock\.json|\.gitignore|.*\.d\.ts)$/;

/**
 * The style of a file depends on the types that it imports: one rule asks whether a call gives a promise.
 *
 * @param {Map<string, string>} files hashes by path
 * @param {(path: string) => string} [read]
 * @returns {{ alone: Map<string, string[]>, reached: Map<string, string[]> }} for each file the files that its style depends on; `alone`:
 *   without that rule
 */
export function styleInputs(files, read = (path) => readFileSync(join(root, path), 'utf8')) {
  const common = [...files.keys()].filter((path) => ofEveryStyle.test(path));
  const known = new Map();
  const importedBy = (path) => {
    if (!known.has(path)) known.set(path, isCode(path) ? ownImports(path, read(path), files) : []);
    return known.get(path).filter((found) => found !== undefined);
  };
  const ofEach = (ownFilesOf) =>
    new Map([...files.keys()].map((path) => [path, [...new Set([...common, ...ownFilesOf(path)])].sort()]));
  return { alone: ofEach((path) => [path]), reached: ofEach((path) => reachedFrom([path], importedBy)) };
}

/** The files of the checkout that a file imports; undefined for each that nobody finds. */
function ownImports(path, text, files) {
  return importsOf(text)
    .filter(({ name }) => /^(?:\.{1,2}\/|@opencashier\/)/.test(name))
    .map(({ name }) => fileOf(name, path, files));
}

/** The files that a file names; undefined when it reads files otherwise, or imports what cannot be found. */
function edges(path, text, files) {
  const globs = [...text.matchAll(literalGlob)].map(([, pattern]) => pattern);
  if (readsFiles.test(text) || globs.length < [...text.matchAll(calledGlob)].length) return undefined;
  const imported = ownImports(path, text, files);
  if (imported.includes(undefined)) return undefined;
  return [
    ...imported,
    ...[...text.matchAll(mayNameFile)]
      .map(([, name]) => fileOf(name, path, files))
      .filter((file) => file !== undefined),
    ...globs.flatMap((pattern) => filesOfGlob(posix.join(dirname(path), pattern), files)),
  ];
}

function filesOfGlob(pattern, files) {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
  const matches = new RegExp(`^${expression}$`);
  return [...files.keys()].filter((path) => matches.test(path));
}

function fileOf(name, from, files) {
  const plain = name.replace(/\?.*$/, '');
  const base = plain.startsWith('@opencashier/') ? inPackage(plain) : posix.join(dirname(from), plain);
  return ['', '.ts', '.tsx', '.mjs', '/index.ts'].map((end) => `${base}${end}`).find((path) => files.has(path));
}

/** `@opencashier/core/money/money` is packages/core/src/money/money.ts. */
function inPackage(name) {
  const [, folder, ...rest] = name.split('/');
  return posix.join('packages', folder, 'src', ...rest);
}
