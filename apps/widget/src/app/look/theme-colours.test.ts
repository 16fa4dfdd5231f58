import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));

/** Selector, property and value of every declaration of the widget. */
const declarations = files.flatMap((file) => {
  const css = readFileSync(join(source, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
  return [...css.matchAll(/([^{};]*)\{([^{}]*)\}/g)].flatMap(([, selector = '', body = '']) =>
    [...body.matchAll(/([\w-]+):\s*([^;]+)/g)].map(([, property = '', value = '']) => ({
      where: `${file} ${selector.trim()}`,
      property,
      value: value.trim(),
    })),
  );
});

/** Properties that take no room. */
const paint = /^(?:(?:[a-z-]+-)?color|fill|stroke|background|box-shadow)$/;
/** Properties that take lengths besides a colour. */
const mayPaint = /^(?:background|border|outline|text-decoration|mask)\b(?!.*(?:width|radius|style)$)/;
const isOfTheme = ({ where }: { readonly where: string }) => where.includes('data-theme');
const isProperty = ({ property }: { readonly property: string }) => property.startsWith('--');

test('[UI-3] a theme changes colours alone, so that every rule about names, roles and sizes holds in each when it holds in one', () => {
  const themed = declarations.filter(isOfTheme);
  const changed = new Set(themed.filter(isProperty).map(({ property }) => property));
  expect(changed.size).toBeGreaterThan(15);
  const others = themed.filter((one) => !isProperty(one)).filter(({ property }) => property !== 'color-scheme');
  expect(others.filter(({ property }) => !paint.test(property))).toEqual([]);

  // A custom property may use another one, so follow such chains before looking at their users.
  const readers = (names: ReadonlySet<string>) =>
    declarations.filter(({ value }) =>
      [...value.matchAll(/var\((--[\w-]+)/g)].some(([, name = '']) => names.has(name)),
    );
  let size = 0;
  while (size !== changed.size) {
    size = changed.size;
    for (const { property } of readers(changed).filter(isProperty)) changed.add(property);
  }
  const users = readers(changed).filter((one) => !isProperty(one));
  expect(users.length).toBeGreaterThan(100);
  expect(users.filter(({ property }) => !paint.test(property) && !mayPaint.test(property))).toEqual([]);
});

test('[UI-3] no style follows the device past the theme that is shown', () => {
  const css = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  expect(css).not.toMatch(/prefers-color-scheme|light-dark\(/);
});
