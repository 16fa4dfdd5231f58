/**
 * House rules that no linter knows, as tests over the text of the tree. Each rule first proves on a bad sample that it
 * can fail. A rule with `exceptions` is a ratchet: the list may only become shorter.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const here = 'tools/style/style.test.ts';
const notOurs = new Set(['node_modules', 'dist', 'canary', 'test-results', 'reference', 'generated']);
const files = ['packages', 'apps', 'e2e', 'scripts', 'tools'].flatMap((folder) => filesUnder(join(root, folder)));

interface Rule {
  readonly name: string;
  readonly appliesTo: RegExp;
  readonly notTo?: RegExp;
  /** Answers the violations, with line numbers where they help. */
  readonly find: (text: string, path: string) => readonly string[];
  readonly bad: string;
  /** The path of the bad sample, when the rule depends on it. */
  readonly badPath?: string;
  readonly exceptions?: readonly string[];
}

const code = /\.(?:ts|tsx|mjs)$/;
const testFile = /\.test\.tsx?$|\/testing\/|[-./]fixtures?\.tsx?$/;

const rules: readonly Rule[] = [
  {
    name: 'a file has at most 400 lines',
    appliesTo: /\.(?:ts|tsx|mjs|css|sql)$/,
    find: (text) => (lineCount(text) > 400 ? [`${lineCount(text)} lines`] : []),
    bad: 'x\n'.repeat(401),
  },
  {
    name: 'a name says what is inside: no utils, helpers, common or misc',
    appliesTo: /./,
    find: (_, path) => path.split('/').filter((part) => /^(?:utils?|helpers?|common|misc)(?:\.|$)/.test(part)),
    bad: '',
    badPath: 'packages/core/src/money/utils.ts',
  },
  {
    name: 'a folder is in kebab-case',
    appliesTo: /./,
    find: (_, path) =>
      path
        .split('/')
        .slice(0, -1)
        .filter((part) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(part)),
    bad: '',
    badPath: 'apps/widget/src/flows/UpiQr/flow.ts',
  },
  {
    name: 'nothing is left for later in a comment',
    appliesTo: /\.(?:ts|tsx|mjs|css|sql|html)$/,
    find: (text) => linesWith(text, /(?<!['"])\b(?:TODO|FIXME|XXX|HACK)\b(?!['"])/),
    bad: '// TODO: later',
  },
  {
    name: 'a silenced compiler says why',
    appliesTo: code,
    find: (text) => linesWith(text, /@ts-expect-error\s*(?:\*\/)?\s*$|@ts-nocheck|eslint-disable|<explanation>/),
    bad: '// @ts-expect-error',
  },
  {
    name: 'no error is swallowed: an empty catch at least says why',
    appliesTo: code,
    notTo: testFile,
    find: (text) =>
      Array.from(
        text.matchAll(/\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|\.catch\(\(\w*\) => \{\s*\}\)/g),
        ([found]) => found,
      ),
    bad: 'try { pay(); } catch {}',
  },
  {
    name: 'money is never a float',
    appliesTo: /^(?:packages\/core|apps\/(?:server|widget))\/src\/.+\.tsx?$/,
    notTo: testFile,
    find: (text) => linesWith(text, /\bparseFloat\(|\bNumber\(\s*(?:\w+\.)*amount\b/),
    bad: 'const sum = Number(deposit.amount) + parseFloat(fee);',
  },
  {
    name: 'time and chance are handed in: core asks neither the clock nor the dice',
    appliesTo: /^packages\/core\/src\/.+\.ts$/,
    notTo: /\.test\.ts$|\/time\//,
    find: (text) => linesWith(text, /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(/),
    bad: 'const age = Date.now() - start;',
  },
  {
    name: 'right-to-left comes free: logical properties, no left and right',
    appliesTo: /\.css$/,
    find: (text) =>
      linesWith(
        text,
        /(?:^|[\s;{])(?:(?:margin|padding|border|inset)-)?(?:left|right)(?:-\w+)?\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)/,
      ),
    bad: '.a { padding-left: 4px }',
  },
];

describe.each(rules)('$name', ({ appliesTo, notTo, find, bad, badPath = 'sample', exceptions = [] }) => {
  test('catches a bad sample', () => {
    expect(find(bad, badPath)).not.toEqual([]);
  });

  test('holds in the tree', () => {
    const broken = files
      .filter((path) => path !== here && appliesTo.test(path) && notTo?.test(path) !== true)
      .flatMap((path) => find(read(path), path).map((what) => `${path}: ${what}`));
    const excused = broken.filter((line) => exceptions.some((path) => line.startsWith(`${path}:`)));
    expect(broken.filter((line) => !excused.includes(line))).toEqual([]);
    // An exception that is no longer needed must be removed.
    expect(exceptions.filter((path) => !excused.some((line) => line.startsWith(`${path}:`)))).toEqual([]);
  });
});

const product = String.raw`['"](?:sweep\w*|crypto[-_]?balance|cryptoBalance)['"]`;
const comparesProduct = new RegExp(
  `[!=]==?\\s*${product}|${product}\\s*[!=]==|case\\s+${product}|widgetViewType\\s*[!=]==`,
  'i',
);

describe('a product is chosen once', () => {
  test('catches a bad sample', () => {
    expect("if (product === 'sweep') return").toMatch(comparesProduct);
    expect("switch (x) { case 'crypto-balance':").toMatch(comparesProduct);
    expect("widgetViewType === 'x'").toMatch(comparesProduct);
  });

  test('no file of the widget compares it: tables by it stand in products/', () => {
    const comparing = files.filter(
      (path) => /^apps\/widget\/src\/.+\.tsx?$/.test(path) && !testFile.test(path) && comparesProduct.test(read(path)),
    );
    expect(comparing).toEqual([]);
  });
});

const toAnyone = /postMessage\((?:[^()]|\([^()]*\))*['"]\*['"]/g;

describe('a message goes to one origin', () => {
  test('catches a bad sample', () => {
    expect("parent.postMessage({ type: 'x', at: now() }, '*')").toMatch(toAnyone);
    expect("frame.postMessage(message, { targetOrigin: '*' })").toMatch(toAnyone);
    expect('frame.postMessage(message, origin)').not.toMatch(toAnyone);
  });

  // The hello carries no data and is sent before any origin is known. The captcha's frame has an opaque origin, which has no name, and
  // gets only an id and a language.
  test('but the hello of the widget, and what starts the captcha in its nameless origin', () => {
    const found = files
      .filter((path) => /^(?:packages|apps)\/.+\.(?:ts|tsx|html)$/.test(path) && !testFile.test(path))
      .flatMap((path) => Array.from(read(path).matchAll(toAnyone), () => path));
    const captcha = 'apps/widget/src/kit/captcha/captcha-sheet.tsx';
    expect(found.filter((path) => path === captcha).length).toBeLessThanOrEqual(1);
    const others = found.filter((path) => path !== captcha);
    expect(others.length, others.join(', ')).toBeLessThanOrEqual(1);
    expect(others.filter((path) => !path.startsWith('apps/widget/src/host/'))).toEqual([]);
  });
});

test('the tree was really read', () => {
  expect(files.length).toBeGreaterThan(60);
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [relative(root, path).split(sep).join('/')];
    });
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function linesWith(text: string, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}: ${line.trim()}`] : []));
}
