/** The variables of a look that a host may set (UI-9). Loaded only when a host sets one. */
import type { Appearance, WidgetErrorCode } from '@opencashier/contract/host';
import { type Colour, parseColour, writeColour, writeExactColour } from '@opencashier/core/colour/parse-colour';
import { type CheckedColour, checkedColours, type Look, legibleLook } from './legible-look.ts';
import type { LookParts } from './look-parts.ts';
import { shadows } from './shadows.ts';

/** Reads a value of a host into the CSS value that is drawn; undefined when the value is refused. */
type Reader = (value: string) => string | undefined;

const where =
  (isFit: (value: string) => boolean): Reader =>
  (value) =>
    isFit(value) ? value : undefined;

const kinds = {
  /** Writes the colour in our own notation: a browser might read the host's notation as another colour than we checked. */
  colour: (value: string) => {
    const colour = readColour(value);
    return colour && writeExactColour(colour);
  },
  length: where((value) => /^(?:0|(?:\d{1,3}(?:\.\d+)?|\.\d+)(?:px|rem|em))$/.test(value)),
  /** Between 12 and 24 px, or the same in rem of 16 px. */
  'font-size': where((value) => {
    const [, size, unit] = /^(\d{1,2}(?:\.\d+)?|\.\d+)(px|rem)$/.exec(value) ?? [];
    const pixels = Number(size) * (unit === 'rem' ? 16 : 1);
    return pixels >= 12 && pixels <= 24;
  }),
  font: where((value) => value.length <= 200 && /^[\w ,'"-]+$/.test(value)),
  density: (value: string) => (Object.hasOwn(densities, value) ? densities[value] : undefined),
  shadow: (value: string) => (Object.hasOwn(shadows, value) ? shadows[value] : undefined),
} as const satisfies Record<string, Reader>;

type Kind = keyof typeof kinds;
type Report = (code: WidgetErrorCode, message: string) => void;

/** Factor on all spacing. Whatever a person presses stays 44 px high (UI-4). */
const densities: Readonly<Record<string, string>> = { compact: '0.75', normal: '1', roomy: '1.25' };

/** The properties of `tokens.css` that a host may set, without their dashes. `docs/integrate.md` says what each is. */
export const appearanceVariables: Readonly<Record<string, Kind>> = {
  font: 'font',
  'font-size': 'font-size',
  density: 'density',
  'radius-s': 'length',
  'radius-m': 'length',
  'radius-l': 'length',
  'radius-full': 'length',
  shadow: 'shadow',
  'shadow-raised': 'shadow',
  bg: 'colour',
  surface: 'colour',
  'surface-hover': 'colour',
  sunken: 'colour',
  line: 'colour',
  'line-strong': 'colour',
  text: 'colour',
  muted: 'colour',
  accent: 'colour',
  'accent-hover': 'colour',
  'on-accent': 'colour',
  'accent-soft': 'colour',
  'accent-text': 'colour',
  focus: 'colour',
  warn: 'colour',
  'warn-soft': 'colour',
  bad: 'colour',
  'bad-soft': 'colour',
  good: 'colour',
  'good-soft': 'colour',
  banner: 'colour',
  'on-banner': 'colour',
  brand: 'colour',
  'brand-soft': 'colour',
};

/**
 * Sets the host's variables on the page. In the dark theme the dark variables override the others. Colours that cannot be
 * read well are corrected. All of this is repeated when the theme changes, until the look is removed.
 *
 * @param parts rules, logo and fonts of the look, when it has any
 * @returns removes the look
 */
export function showAppearance(
  root: HTMLElement,
  appearance: Appearance,
  report: Report,
  parts?: LookParts,
): () => void {
  let reported = '';
  const set = new Set<string>();
  const clear = (): void => {
    for (const name of set) root.style.removeProperty(`--${name}`);
    set.clear();
  };
  const put = (name: string, value: string): void => {
    root.style.setProperty(`--${name}`, value);
    set.add(name);
  };
  const show = (): void => {
    clear();
    const isDark = root.dataset['theme'] === 'dark';
    const refused: string[] = [];
    for (const [name, given] of Object.entries({ ...appearance.variables, ...(isDark && appearance.darkVariables) })) {
      const kind = Object.hasOwn(appearanceVariables, name) ? appearanceVariables[name] : undefined;
      const drawn = kind && kinds[kind](given.trim());
      if (drawn === undefined) refused.push(name);
      else put(name, drawn);
    }
    const { moved, refused: refusedRules } = keepLegible(root, put, parts);
    refused.push(...refusedRules);
    // Report once for each look, not again whenever the theme changes to the same result.
    const said = JSON.stringify([refused, moved]);
    if (said === reported) return;
    reported = said;
    if (refused.length > 0)
      report('host-field-defaulted', `Variables of the appearance were refused: ${refused.join(', ')}.`);
    if (moved.length > 0)
      report('contrast-corrected', `Colours that could not be read well were moved: ${moved.join(', ')}.`);
  };
  show();
  const observer = new MutationObserver(show);
  observer.observe(root, { attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
    clear();
    parts?.clear();
  };
}

function keepLegible(
  root: HTMLElement,
  put: (name: string, value: string) => void,
  parts: LookParts | undefined,
): { readonly moved: string[]; readonly refused: readonly string[] } {
  const style = getComputedStyle(root);
  const look: Partial<Record<CheckedColour, Colour>> = {};
  for (const name of checkedColours) {
    const value = style.getPropertyValue(`--${name}`).trim();
    const read = readColour(value);
    // Only a page without its style sheet lacks a colour, and such a page has nothing to correct.
    if (read === undefined) return { moved: [], refused: [] };
    look[name] = read;
  }
  const named = (value: string): Colour | undefined => look[value as CheckedColour] ?? readColour(value);
  const legible = legibleLook(look as Look, parts?.surfaces(named));
  const moved = checkedColours.flatMap((name) => {
    const [from, to] = [look[name] as Colour, legible[name]];
    if (writeColour(from) === writeColour(to) && from.alpha === 1) return [];
    put(name, writeColour(to));
    return `${name} ${writeColour(from)} > ${writeColour(to)}`;
  });
  const drawn = parts?.draw(legible, (value) => legible[value as CheckedColour] ?? readColour(value));
  return { moved: [...moved, ...(drawn?.moved ?? [])], refused: drawn?.refused ?? [] };
}

/**
 * Names whose colour depends on the element, the device or its settings: `currentcolor`, and the system colours of CSS Color 4.
 * For them the canvas below would give another colour than the page draws.
 */
const CONTEXT_COLOURS = new Set(
  (
    'currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext ' +
    'graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext activeborder ' +
    'activecaption appworkspace background buttonhighlight buttonshadow captiontext inactiveborder inactivecaption ' +
    'inactivecaptiontext infobackground infotext menu menutext scrollbar threeddarkshadow threedface threedhighlight ' +
    'threedlightshadow threedshadow window windowframe windowtext'
  ).split(' '),
);

/** A colour by value, or by a name that the browser knows, such as `rebeccapurple`. */
function readColour(value: string): Colour | undefined {
  const read = parseColour(value);
  if (read !== undefined || !/^[a-z]+$/i.test(value) || CONTEXT_COLOURS.has(value.toLowerCase())) return read;
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return undefined;
  // A name that is no colour leaves the fill style unchanged, so the two results differ.
  const [onBlack, onWhite] = ['#000000', '#ffffff'].map((before) => {
    pen.fillStyle = before;
    pen.fillStyle = value;
    return pen.fillStyle;
  });
  return onBlack === onWhite && onBlack !== undefined ? parseColour(onBlack) : undefined;
}
