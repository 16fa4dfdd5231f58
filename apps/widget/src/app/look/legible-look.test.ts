import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contrast } from '@opencashier/core/colour/contrast';
import { type Colour, parseColour, writeColour } from '@opencashier/core/colour/parse-colour';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckedColour, checkedColours, contrastsOf, type Look, legibleLook } from './legible-look.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function tokensOf(block: RegExp): Record<string, string> {
  const [, body = ''] = block.exec(css) ?? [];
  return Object.fromEntries([...body.matchAll(/--([a-z-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
}

const light = tokensOf(/\n {2}:root \{([^}]*)\}/);
const dark = { ...light, ...tokensOf(/:root\[data-theme='dark'\] \{([^}]*)\}/) };

function lookOf(tokens: Record<string, string>): Look {
  const read = (name: string): Colour => {
    const value = tokens[name] ?? '';
    const reference = /^var\(--([a-z-]+)\)$/.exec(value)?.[1];
    const colour = reference === undefined ? parseColour(value) : read(reference);
    if (!colour) throw new Error(`--${name} is no colour that is known: ${value}`);
    return colour;
  };
  return Object.fromEntries(checkedColours.map((name) => [name, read(name)])) as Look;
}

const channel = fc.integer({ min: 0, max: 255 });
const colour = fc.record({ red: channel, green: channel, blue: channel, alpha: fc.constantFrom(1, 0.3) });
/** Any part of the look, as a host sets it. */
const hostColours = fc.dictionary(fc.constantFrom(...checkedColours), colour, { maxKeys: checkedColours.length });

describe('contrast', () => {
  test.each([
    ['light', light],
    ['dark', dark],
  ])('[UI-9] our own colours are read well, and none of them is moved: %s', (_theme, tokens) => {
    const look = lookOf(tokens);
    const moved = checkedColours.filter(
      (name) => writeColour(legibleLook(look)[name]) !== writeColour(look[name] as Colour),
    );
    expect(moved).toEqual([]);
  });

  test.each([
    ['light', light],
    ['dark', dark],
  ])('[UI-9] whatever the host sets, every text and sign is read on what it stands on: %s', (_theme, tokens) => {
    const own = lookOf(tokens);
    fc.assert(
      fc.property(hostColours, (set) => {
        const look = legibleLook({ ...own, ...set });
        for (const { name, on, least } of contrastsOf(look))
          expect(contrast(look[name], on), name).toBeGreaterThanOrEqual(least);
      }),
      { numRuns: 150 },
    );
  });

  test('[UI-9] what is read well stays as the host wrote it, and what is too faint keeps its hue', () => {
    const yellow = parseColour('#ffdd00') as Colour;
    const faint = parseColour('#b9b9c9') as Colour;
    const plum = parseColour('#5b2a86') as Colour;
    const look = legibleLook({ ...lookOf(light), muted: faint, 'accent-text': plum, banner: yellow });
    expect(look['accent-text']).toEqual(plum);
    expect(look.muted.blue).toBeGreaterThan(look.muted.red);
    expect(look.banner).toEqual(yellow);
    // White on yellow cannot be read.
    expect(writeColour(look['on-banner'])).not.toBe('#ffffff');
  });

  test('every colour of the list is one that the look hangs on', () => {
    expect(checkedColours.filter((name: CheckedColour) => !css.includes(`--${name}:`))).toEqual([]);
  });
});
