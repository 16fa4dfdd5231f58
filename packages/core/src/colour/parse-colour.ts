/** Reads the colours of a host's theme without a browser. */

/** Red, green and blue from 0 to 255, and the opacity (`alpha`) from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)`;
const hexadecimal = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const call = new RegExp(
  String.raw`^(rgb|hsl)a?\(\s*(${number})(deg|%)?[\s,]+(${number})(%)?[\s,]+(${number})(%)?(?:[\s,/]+(${number})(%)?)?\s*\)$`,
  'i',
);

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

/**
 * Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `hsl()` with commas or spaces (CSS Color 4).
 *
 * @returns undefined for every other notation; only a browser can read colour names and wide gamuts
 */
export function parseColour(text: string): Colour | undefined {
  const trimmed = text.trim();
  if (hexadecimal.test(trimmed)) return fromHex(trimmed.slice(1));
  const parts = call.exec(trimmed);
  if (!parts) return undefined;
  const [, name, first, unit, second, secondUnit, third, thirdUnit, alpha, alphaUnit] = parts;
  const opacity = alpha === undefined ? 1 : clamp(Number(alpha) / (alphaUnit ? 100 : 1), 1);
  if (name?.toLowerCase() === 'hsl') {
    if (unit === '%') return undefined;
    return { ...fromHsl(Number(first), clamp(Number(second), 100), clamp(Number(third), 100)), alpha: opacity };
  }
  if (unit === 'deg') return undefined;
  const channel = (value: string | undefined, share: string | undefined): number =>
    clamp(Math.round(Number(value) * (share ? 2.55 : 1)), 255);
  return {
    red: channel(first, unit),
    green: channel(second, secondUnit),
    blue: channel(third, thirdUnit),
    alpha: opacity,
  };
}

/** Writes `#rrggbb`, or `#rrggbbaa` when the colour is not opaque. */
export function writeExactColour(colour: Colour): string {
  if (colour.alpha === 1) return writeColour(colour);
  return (
    writeColour(colour) +
    Math.round(colour.alpha * 255)
      .toString(16)
      .padStart(2, '0')
  );
}

/** Writes `#rrggbb` and leaves the opacity out. */
export function writeColour({ red, green, blue }: Colour): string {
  return `#${[red, green, blue].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function fromHex(digits: string): Colour {
  const size = digits.length < 6 ? 1 : 2;
  const at = (index: number): number => {
    const part = digits.slice(index * size, (index + 1) * size);
    return part === '' ? 255 : Number.parseInt(size === 1 ? part + part : part, 16);
  };
  return { red: at(0), green: at(1), blue: at(2), alpha: at(3) / 255 };
}

/** Converts a hue in degrees, and saturation and lightness in percent (CSS Color 4, section 7). */
function fromHsl(hue: number, saturation: number, lightness: number): Omit<Colour, 'alpha'> {
  const spread = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const channel = (offset: number): number => {
    const place = (((offset + hue / 30) % 12) + 12) % 12;
    return Math.round(255 * (lightness / 100 - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return { red: channel(0), green: channel(8), blue: channel(4) };
}
