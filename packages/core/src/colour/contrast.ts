/** The contrast between two colours (WCAG 2.2, success criteria 1.4.3 and 1.4.11). */
import type { Colour } from './parse-colour.ts';

export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** The minimum contrast ratio of text, and of lines and symbols that must be visible. */
export const TEXT_CONTRAST = 4.5;
/** The minimum contrast of lines and symbols that must be visible. */
export const GRAPHIC_CONTRAST = 3;

/** Relative luminance from 0 (black) to 1 (white), as WCAG 2.2 defines it for sRGB. Opacity is ignored. */
export function luminance({ red, green, blue }: Colour): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast ratio from 1 (same colour) to 21 (black and white). The order of the arguments does not matter. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Mixes `share` of the first colour with the rest of the second, opaque and rounded to whole channel values.
 * The same as `color-mix(in srgb, …)` in CSS.
 */
export function mix(one: Colour, share: number, other: Colour): Colour {
  const part = (a: number, b: number): number => Math.round(a * share + b * (1 - share));
  return {
    red: part(one.red, other.red),
    green: part(one.green, other.green),
    blue: part(one.blue, other.blue),
    alpha: 1,
  };
}

const steps = 50;

/**
 * Moves a colour towards another, in steps of 2 %, until `isGood` accepts the candidate.
 *
 * @returns the other colour when no candidate is good enough
 */
export function moveUntil(colour: Colour, towards: Colour, isGood: (candidate: Colour) => boolean): Colour {
  for (let step = 0; step < steps; step += 1) {
    const candidate = mix(towards, step / steps, colour);
    if (isGood(candidate)) return candidate;
  }
  return towards;
}
