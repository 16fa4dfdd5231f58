import { contrast } from '@opencashier/core/colour/contrast';
import { type Colour, parseColour } from '@opencashier/core/colour/parse-colour';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedColours, contrastsOf, type Look, legibleLook } from './legible-look.ts';
import { readRules, ruleSurfaces } from './look-rules.ts';

const plain = Object.fromEntries(checkedColours.map((name) => [name, parseColour('#ffffff')])) as Look;
const look = legibleLook({ ...plain, accent: parseColour('#0a7a5a') as Colour });
const read = (value: string) => parseColour(value);

test('[UI-9] a rule changes a few properties of a part and its states', () => {
  const { css, refused, moved } = readRules(
    {
      button: {
        'background-color': '#111111',
        color: '#ffffff',
        'border-radius': '2px',
        'text-transform': 'uppercase',
      },
      'tile:hover': { 'box-shadow': 'strong' },
      'chip:selected': { 'font-weight': '700' },
    },
    look,
    read,
  );
  expect(css).toContain('[data-part="button"]:not(');
  expect(css).toMatch(/border-radius:2px;text-transform:uppercase;background-color:#111111;color:#ffffff/);
  expect(css).toMatch(/\[data-part="tile"\]:hover[^{]*\{box-shadow:0 2px/);
  expect([refused, moved]).toEqual([[], []]);
});

test('[UI-9] parts, states, properties and values that are not listed are refused by name and draw nothing', () => {
  const { css, refused } = readRules(
    {
      body: { color: '#000000' },
      'tile:visited': { color: '#000000' },
      constructor: { color: '#000000' },
      tile: {
        position: 'fixed',
        content: '"x"',
        color: 'red}body{display:none',
        'background-color': 'url(https://evil.example)',
        'border-width': '40px',
        'letter-spacing': '9em',
        'box-shadow': '0 0 9px red',
      },
    },
    look,
    read,
  );
  expect(css).toBe('');
  expect(refused).toEqual([
    'body',
    'tile:visited',
    'constructor',
    'tile position',
    'tile content',
    'tile color',
    'tile background-color',
    'tile border-width',
    'tile letter-spacing',
    'tile box-shadow',
  ]);
});

const channel = fc.integer({ min: 0, max: 255 });
const hex = fc
  .tuple(channel, channel, channel)
  .map((all) => `#${all.map((one) => one.toString(16).padStart(2, '0')).join('')}`);
const part = fc.constantFrom(
  'header',
  'card',
  'tile',
  'row',
  'input',
  'button',
  'button-secondary',
  'chip',
  'tab',
  'badge',
);
const values = fc.record({ color: hex, 'background-color': hex, 'border-color': hex }, { requiredKeys: [] });

test('[UI-9] whatever a rule paints can be read, and so can every text that stands on it', () => {
  fc.assert(
    fc.property(fc.dictionary(part, values, { maxKeys: 4 }), (rules) => {
      const surfaces = ruleSurfaces(rules, read);
      const legible = legibleLook(look, surfaces);
      for (const { name, on, least } of contrastsOf(legible))
        expect(contrast(legible[name], on)).toBeGreaterThanOrEqual(least);
      const { css } = readRules(rules, legible, read);
      for (const [, selector = '', body = ''] of css.matchAll(/\[data-part="([\w-]+)"\][^{]*\{([^}]*)\}/g)) {
        const painted = Object.fromEntries(body.split(';').map((one) => one.split(':')));
        if (painted['color'] === undefined) continue;
        const behind = parseColour(painted['background-color'] ?? '') as Colour;
        expect(contrast(parseColour(painted['color']) as Colour, behind), selector).toBeGreaterThanOrEqual(4.5);
        // What else stands on a surface: the details of a tile, the words beside a field.
        if (!['header', 'card', 'tile', 'row', 'input'].includes(selector)) continue;
        for (const text of ['text', 'muted', 'accent-text', 'bad'] as const) {
          expect(contrast(legible[text], behind), `${text} on ${selector}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }),
    { numRuns: 150 },
  );
});
