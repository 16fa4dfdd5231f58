/** How well one colour is read on another (WCAG 2.2, success criteria 1.4.3 and 1.4.11). */
import type { Colour } from './parse-colour.ts';

export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** The least ratio of a text, and of a line or sign that must be seen. */
export const TEXT_CONTRAST = 4.5;
export const GRAPHIC_CONTRAST = 3;

/** From 0 (black) to 1 (white), by the definition of WCAG 2.2 for sRGB; how opaque it is does not count. */
export function luminance({ red, green, blue }: Colour): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** From 1 (the same) to 21 (black and white), whichever comes first. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `share` of the first and the rest of the second, opaque, in whole steps of the screen: CSS's `color-mix(in srgb, …)`. */
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
 * Moves a colour towards another just as far as it needs to be good, in steps of 2 %.
 *
 * @returns the other colour where nothing on the way is good enough
 */
export function moveUntil(colour: Colour, towards: Colour, isGood: (candidate: Colour) => boolean): Colour {
  for (let step = 0; step < steps; step += 1) {
    const candidate = mix(towards, step / steps, colour);
    if (isGood(candidate)) return candidate;
  }
  return towards;
}
