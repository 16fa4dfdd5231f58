import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLACK, contrast, luminance, mix, moveUntil, TEXT_CONTRAST, WHITE } from './contrast.ts';
import { type Colour, parseColour, writeColour } from './parse-colour.ts';

const channel = fc.integer({ min: 0, max: 255 });
const colour: fc.Arbitrary<Colour> = fc.record({ red: channel, green: channel, blue: channel, alpha: fc.constant(1) });

describe('colours', () => {
  test('every notation gives the same colour', () => {
    const teal = { red: 0, green: 128, blue: 128, alpha: 1 };
    for (const text of [
      '#008080',
      '#008080ff',
      'rgb(0, 128, 128)',
      'RGB(0 128 128 / 100%)',
      'hsl(180 100% 25.1%)',
      ' hsla(-180, 100%, 25.1%, 1) ',
    ]) {
      expect(parseColour(text), text).toEqual(teal);
    }
    expect(parseColour('#0f08')).toEqual({ red: 0, green: 255, blue: 0, alpha: 0x88 / 255 });
    expect(parseColour('rgb(50% 0% 100% / .5)')).toEqual({ red: 127, green: 0, blue: 255, alpha: 0.5 });
    for (const text of ['', 'teal', '#12345', 'var(--x)', 'rgb(1 2)', 'oklch(50% .1 20)', 'rgb(1,2,3) url(x)']) {
      expect(parseColour(text), text).toBeUndefined();
    }
  });

  test('a written colour is read back', () => {
    fc.assert(fc.property(colour, (one) => void expect(parseColour(writeColour(one))).toEqual(one)));
  });

  test('contrast equals the values of the standard', () => {
    expect(contrast(BLACK, WHITE)).toBe(21);
    expect(contrast(parseColour('#767676') as Colour, WHITE)).toBeCloseTo(4.54, 2);
    expect(contrast(parseColour('#777') as Colour, WHITE)).toBeLessThan(TEXT_CONTRAST);
    fc.assert(
      fc.property(colour, colour, (one, other) => {
        expect(contrast(one, other)).toBe(contrast(other, one));
        expect(contrast(one, one)).toBe(1);
        expect(luminance(one)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a colour moves no further than necessary', () => {
    const isDark = (candidate: Colour) => luminance(candidate) < 0.2;
    fc.assert(
      fc.property(colour, (one) => {
        const moved = moveUntil(one, BLACK, isDark);
        expect(isDark(moved)).toBe(true);
        if (isDark(one)) expect(moved).toEqual(one);
      }),
    );
    expect(moveUntil(WHITE, BLACK, () => false)).toEqual(BLACK);
    expect(mix(WHITE, 0.5, BLACK)).toEqual({ red: 128, green: 128, blue: 128, alpha: 1 });
  });
});
