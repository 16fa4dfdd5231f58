// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appearanceVariables, showAppearance } from './appearance.ts';

const root = document.documentElement;
const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const report = vi.fn<(code: string, message: string) => void>();
let stop = (): void => {};

beforeEach(() => {
  report.mockReset();
  // jsdom has no pen; names of colours are the browser's to read.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  root.removeAttribute('style');
  root.dataset['theme'] = 'light';
  // jsdom knows neither layers nor what a variable of a variable is.
  document.head.innerHTML = `<style>${css.replace('--focus: var(--accent)', '--focus: #0a7a5a').slice(css.indexOf('  :root {'), css.lastIndexOf('}'))}</style>`;
});
afterEach(() => stop());

const show = (variables: Record<string, string>, darkVariables?: Record<string, string>) => {
  stop = showAppearance(root, { variables, ...(darkVariables && { darkVariables }) }, report);
};
const shown = (name: string) => root.style.getPropertyValue(`--${name}`);

test('[UI-9] the listed variables are set; names and values that could do more than colour are refused and reported', () => {
  show({
    accent: '#9f1239',
    'radius-m': '4px',
    density: 'compact',
    font: "Inter, 'Noto Sans', sans-serif",
    'on-accent': 'white; background: url(https://evil.example)',
    surface: 'URL (https://evil.example)',
    text: 'red}body{display:none',
    line: 'image-set("https://evil.example" 1x)',
    muted: 'var(--accent)',
    'font-size': '2px',
    'radius-l': 'calc(1px + 1vw)',
    position: 'fixed',
    constructor: 'red',
  });
  expect(['accent', 'radius-m', 'density', 'font'].map(shown)).toEqual([
    '#9f1239',
    '4px',
    '0.75',
    "Inter, 'Noto Sans', sans-serif",
  ]);
  expect(root.style).toHaveLength(4);
  const refused = 'on-accent, surface, text, line, muted, font-size, radius-l, position, constructor';
  expect(report.mock.calls).toEqual([
    ['host-field-defaulted', `Variables of the appearance were refused: ${refused}.`],
  ]);
});

test('[UI-9] a text that could not be read is moved, and the host is told from what to what', () => {
  show({ muted: '#aaaaaa', surface: '#ffffff' });
  expect(shown('muted')).toMatch(/^#[0-7]/);
  expect(report.mock.calls).toEqual([
    ['contrast-corrected', `Colours that could not be read well were moved: muted #aaaaaa > ${shown('muted')}.`],
  ]);
});

test('[UI-9] the dark theme has its own variables above the others, and all of it can be taken back', async () => {
  show({ accent: '#9f1239', 'radius-m': '4px' }, { accent: '#fda4af' });
  expect(shown('accent')).toBe('#9f1239');
  root.dataset['theme'] = 'dark';
  await vi.waitFor(() => expect(shown('accent')).toBe('#fda4af'));
  expect(shown('radius-m')).toBe('4px');
  stop();
  expect(root.style).toHaveLength(0);
});

test('no accepted value can close its declaration or name an address', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(appearanceVariables)),
      fc.string({ unit: 'binary-ascii' }),
      (name, value) => {
        show({ [name]: value });
        expect(root.getAttribute('style') ?? '').not.toMatch(/[{}\\]|url\s*\(/i);
        stop();
      },
    ),
    { numRuns: 60 },
  );
});

test('every name that a host may set is one that the look hangs on', () => {
  expect(Object.keys(appearanceVariables).filter((name) => !css.includes(`--${name}:`))).toEqual([]);
});

test('[UI-9] the table of the documents names every variable, and no other', () => {
  const documents = readFileSync(join(import.meta.dirname, '../../../../docs/integrate.md'), 'utf8');
  const [, table = ''] = documents.split('| variable | kind | what it is |\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \| ([a-z-]+) \| ./gm)];
  expect(Object.fromEntries(rows.map(([, name, kind]) => [name, kind]))).toEqual(appearanceVariables);
});
