// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contrast } from '@opencashier/core/colour/contrast';
import { parseColour } from '@opencashier/core/colour/parse-colour';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appearanceVariables, showAppearance } from './appearance.ts';
import { checkedColours, contrastsOf, type Look } from './legible-look.ts';

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

/** A canvas that knows a few names, and reads every other as no colour. */
const penOf = (names: Record<string, string>) => {
  let style = '#000000';
  return {
    get fillStyle() {
      return style;
    },
    set fillStyle(value: string) {
      style = names[value.toLowerCase()] ?? (value.startsWith('#') ? value : style);
    },
  };
};
const names = {
  teal: '#008080',
  white: '#ffffff',
  transparent: 'rgba(0, 0, 0, 0)',
  currentcolor: '#000000',
  canvas: '#ffffff',
};
const drawWith = (pen: object) =>
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as CanvasRenderingContext2D);

test.each(['currentcolor', 'CurrentColor', 'Canvas', 'Field', 'ButtonFace', 'AccentColor', 'WindowText'])(
  '[UI-9] %s is refused by name: nobody can tell what it will look like',
  (value) => {
    drawWith(penOf({ ...names, [value.toLowerCase()]: '#ffffff' }));
    show({ surface: value, accent: 'teal' });
    expect(shown('surface')).toBe('');
    expect(shown('accent')).toBe('#008080');
    expect(report.mock.calls).toEqual([['host-field-defaulted', 'Variables of the appearance were refused: surface.']]);
  },
);

test('[UI-9] a colour is drawn as it was judged, whatever the browser would make of the host’s words', () => {
  show({ accent: 'rgb(159 18 57 1)', 'accent-soft': 'RGB(255, 241 242)', line: 'hsl(0 0% 50% / 50%)' });
  expect(['accent', 'accent-soft', 'line'].map(shown)).toEqual(['#9f1239', '#fff1f2', '#80808080']);
});

test('[UI-9] whatever a host writes for a colour, every text and sign is read on what it stands on', () => {
  const channel = fc.nat(255);
  const share = fc.nat(100);
  const written = fc.oneof(
    fc.tuple(channel, channel, channel).map(([r, g, b]) => `rgb(${r} ${g} ${b})`),
    fc.tuple(channel, channel, channel, share).map(([r, g, b, a]) => `rgba(${r}, ${g}, ${b}, ${a}%)`),
    fc.tuple(fc.nat(360), share, share).map(([h, s, l]) => `hsl(${h}, ${s}%, ${l}%)`),
    fc.stringMatching(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/),
    fc.constantFrom(
      'teal',
      'white',
      'transparent',
      'currentcolor',
      'Canvas',
      'Field',
      'var(--text)',
      'inherit',
      'none',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 12 }),
  );
  drawWith(penOf(names));
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...checkedColours), written),
      fc.constantFrom('light', 'dark'),
      (variables, theme) => {
        root.dataset['theme'] = theme;
        show(variables);
        const style = getComputedStyle(root);
        const look = Object.fromEntries(
          checkedColours.map((name) => {
            const value = style.getPropertyValue(`--${name}`).trim();
            // Six digits: nothing shines through, and every browser reads it alike.
            expect(value, name).toMatch(/^#(?:[\da-f]{3}){1,2}$/i);
            return [name, parseColour(value)];
          }),
        ) as Look;
        for (const { name, on, least } of contrastsOf(look)) {
          expect(contrast(look[name], on), name).toBeGreaterThanOrEqual(least);
        }
        stop();
      },
    ),
    { numRuns: 60 },
  );
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
  const documents = readFileSync(join(import.meta.dirname, '../../../../../docs/integrate.md'), 'utf8');
  const [, table = ''] = documents.split('| variable | kind | what it is |\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \| ([a-z-]+) \| ./gm)];
  expect(Object.fromEntries(rows.map(([, name, kind]) => [name, kind]))).toEqual(appearanceVariables);
});
