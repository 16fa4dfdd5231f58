/** The HTML of the documents: attributes of `<open-cashier>`, scripts, and the components of Vue and Svelte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseVue } from '@vue/compiler-sfc';
import { parseSync } from 'oxc-parser';
import { parse as parseSvelte } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { codeIn, type Fence, root } from './fences.ts';

const source = readFileSync(join(root, 'packages/embed/src/element-class.ts'), 'utf8');
const observed = /addressAttributes = \[([^\]]+)\]/.exec(source)?.[1] ?? '';
/** What the element observes, and what it reads when it opens. */
const attributes = new Set([
  ...[...observed.matchAll(/'([\w-]+)'/g)].map(([, name]) => name),
  ...[...source.matchAll(/(?:get|has)Attribute\('([\w-]+)'\)/g)].map(([, name]) => name),
]);

function problemsOf({ place, text }: Fence): string[] {
  const problems = text.includes('use:cashier')
    ? problemsOfSvelte(text)
    : text.includes('<template>')
      ? parseVue(text).errors.map(String)
      : problemsOfPage(text);
  return problems.map((problem) => `${place}: ${problem}`);
}

function problemsOfSvelte(text: string): string[] {
  try {
    parseSvelte(text, { modern: true });
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function problemsOfPage(text: string): string[] {
  const tags = [...text.matchAll(/<open-cashier\s([^>]*)>/g)];
  const unknown = tags.flatMap(([, all = '']) =>
    [...all.matchAll(/([\w-]+)="[^"]*"/g)].flatMap(([, name]) =>
      attributes.has(name) ? [] : [`<open-cashier> has no attribute ${name}`],
    ),
  );
  const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  const errors = scripts.flatMap(([, code = '']) => parseSync('x.js', code).errors.map(({ message }) => message));
  return [...(tags.length > 0 ? [] : ['no tag <open-cashier>']), ...unknown, ...errors];
}

test('markup can be read, and uses attributes that the element has', () => {
  const found = codeIn('html');
  expect(found.length).toBeGreaterThan(3);
  expect(found.flatMap(problemsOf)).toEqual([]);
});

test('a wrong attribute, a broken script and a broken component are found', () => {
  const fence = { path: 'x.md', place: 'x.md:1', language: 'html', note: '' };
  const page = '<open-cashier partner="a" partnr="b"></open-cashier><script>const = 1</script>';
  expect(problemsOf({ ...fence, text: page })).toEqual([
    'x.md:1: <open-cashier> has no attribute partnr',
    expect.stringContaining('x.md:1: '),
  ]);
  expect(problemsOf({ ...fence, text: '<template><div></template>' })).toHaveLength(1);
  expect(problemsOf({ ...fence, text: '<div use:cashier={{>' })).toHaveLength(1);
});
