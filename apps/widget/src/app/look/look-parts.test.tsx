// @vitest-environment jsdom
import type { Appearance } from '@opencashier/contract/host';
import { parseColour } from '@opencashier/core/colour/parse-colour';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkedColours, type Look, legibleLook } from './legible-look.ts';
import { createLookParts, withPreset } from './look-parts.ts';

const look = legibleLook(Object.fromEntries(checkedColours.map((name) => [name, parseColour('#ffffff')])) as Look);
const report = vi.fn<(message: string) => void>();
const fonts = new Set<{ source: string }>();
let styles = '';

beforeEach(() => {
  report.mockReset();
  fonts.clear();
  styles = '';
  // jsdom has neither sheets that are made nor fonts.
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync(text: string): void {
        styles = text;
      }
    },
  );
  vi.stubGlobal(
    'FontFace',
    class {
      readonly source: string;
      constructor(_family: string, source: string) {
        this.source = source;
      }
      load = () => (this.source.includes('missing') ? Promise.reject(new Error('404')) : Promise.resolve(this));
    },
  );
  Object.defineProperty(document, 'fonts', { value: fonts, configurable: true });
  Object.defineProperty(document, 'adoptedStyleSheets', { value: [], configurable: true, writable: true });
});
afterEach(() => vi.unstubAllGlobals());

function draw(appearance: Partial<Appearance>) {
  const parts = createLookParts({ variables: {}, ...appearance }, report);
  parts.draw(look, parseColour);
  return parts;
}

test('[UI-9] the list as rows, marks without colour and the logo of the operator, and all of it can be taken back', () => {
  const parts = draw({
    list: 'rows',
    icons: 'plain',
    logo: { src: 'https://play.example/logo.svg', name: 'Play "1"' },
  });
  expect(styles).toContain('[data-part="tiles"]{grid-template-columns:minmax(0,1fr)}');
  // On a phone the mark of an only tile has a margin, and here the row centres it.
  expect(styles).toContain('[data-part="tile"]>:first-child>:first-child{flex:none;margin-block-start:0}');
  expect(styles).toContain('grayscale(1)');
  expect(styles).toContain('url("https://play.example/logo.svg")');
  expect(styles).toContain('content:""/"Play 1"');
  expect(document.adoptedStyleSheets).toHaveLength(1);
  parts.clear();
  expect(document.adoptedStyleSheets).toHaveLength(0);
});

test.each([
  'http://play.example/logo.svg',
  'javascript:alert(1)',
  'data:text/html;base64,AAAA',
  'data:image/svg+xml;utf8,<svg>")}body{display:none',
  'https://user:pw@play.example/logo.svg',
  'https://play.example/logo.svg?a="}b\\',
  '/logo.svg',
])('[UI-9] a logo at %s is refused or cannot leave its quotes', (src) => {
  draw({ logo: { src, name: 'Play' } });
  expect(styles).not.toMatch(/javascript|text\/html|display:none|user:pw|"}b/);
  if (!styles.includes('url(')) expect(report).toHaveBeenCalledWith(expect.stringContaining('The logo was refused'));
});

test('[UI-9] fonts come from the operator’s own address; one that cannot be had is told', async () => {
  const parts = draw({
    fonts: [
      { family: 'Play Sans', src: 'https://play.example/play.woff2', weight: '400 700' },
      { family: 'Gone', src: 'https://play.example/missing.woff2' },
      { family: 'Foreign', src: 'http://play.example/f.woff2' },
    ],
  });
  expect([...fonts].map(({ source }) => source)).toEqual([
    'url("https://play.example/play.woff2")',
    'url("https://play.example/missing.woff2")',
  ]);
  await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(2));
  expect(report.mock.calls.flat().join()).toMatch(/Foreign was refused.*Gone could not be loaded/);
  parts.clear();
  expect(fonts.size).toBe(0);
});

test('[UI-9] a logo that cannot be loaded is told', () => {
  const pictures: { src: string; onerror(): void }[] = [];
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      onerror(): void {}
      constructor() {
        pictures.push(this);
      }
    },
  );
  draw({ logo: { src: 'https://play.example/logo.svg', name: 'Play' } });
  expect(pictures.map(({ src }) => src)).toEqual(['https://play.example/logo.svg']);
  expect(report).not.toHaveBeenCalled();
  pictures[0]?.onerror();
  expect(report).toHaveBeenCalledWith('The logo could not be loaded: serve it from an origin of your list.');
});

test('[UI-9] a preset stands below what the host sets itself', () => {
  const own = { variables: { 'radius-m': '5px' }, preset: 'clean' as const };
  expect(withPreset(own).variables).toMatchObject({ 'radius-m': '5px', 'radius-l': '10px', shadow: 'none' });
  expect(withPreset({ variables: {} }).variables).toEqual({});
  draw({ preset: 'clean' });
  expect(styles).toContain('grid-template-columns');
  draw({ preset: 'clean', list: 'tiles' });
  expect(styles).not.toContain('grid-template-columns');
  draw({ preset: 'sharp', rules: { button: { 'text-transform': 'none' } } });
  expect(styles).toContain('text-transform:none');
  expect(styles).not.toContain('uppercase');
});

test.each(['\r', '\f', '\n', '\0', '\u0085'])(
  '[UI-9] a control character %j cannot end the text of a logo’s name',
  (sign) => {
    draw({ logo: { src: 'https://play.example/logo.svg', name: `Play${sign}}}body{display:none}` } });
    expect(styles).toContain('content:""/"Play}}body{display:none}"');
  },
);
