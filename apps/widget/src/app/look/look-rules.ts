/**
 * Rules of a host for single parts and their states (UI-9). Each value is checked, and colours are kept readable like those of
 * the look. Pure: rules and colours come in, CSS comes out.
 */
import { contrast, GRAPHIC_CONTRAST, moveUntil, TEXT_CONTRAST } from '@opencashier/core/colour/contrast';
import { type Colour, writeColour } from '@opencashier/core/colour/parse-colour';
import { type CheckedColour, inkOn, type Look, surfaceFor } from './legible-look.ts';
import { shadows } from './shadows.ts';

export type Rules = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Parts with the pair of colours that must be readable, and whether other texts of the look are drawn on the part, too. */
const parts = {
  header: { text: 'text', behind: 'bg', isSurface: true },
  card: { text: 'text', behind: 'surface', isSurface: true },
  tile: { text: 'text', behind: 'surface', isSurface: true },
  row: { text: 'text', behind: 'surface', isSurface: true },
  input: { text: 'text', behind: 'surface', isSurface: true },
  button: { text: 'on-accent', behind: 'accent', isSurface: false },
  'button-secondary': { text: 'accent-text', behind: 'accent-soft', isSurface: false },
  chip: { text: 'text', behind: 'surface', isSurface: false },
  tab: { text: 'text', behind: 'surface', isSurface: false },
  badge: { text: 'accent-text', behind: 'accent-soft', isSurface: false },
} as const satisfies Readonly<Record<string, { text: CheckedColour; behind: CheckedColour; isSurface: boolean }>>;
type Part = keyof typeof parts;

const chosen = ':is([aria-pressed="true"],[aria-selected="true"])';
const states: Readonly<Record<string, string>> = {
  '': `:not(${chosen})`,
  hover: `:hover:not(${chosen},:disabled,[aria-disabled="true"])`,
  focus: ':focus-visible',
  disabled: ':is(:disabled,[aria-disabled="true"])',
  selected: chosen,
  invalid: '[aria-invalid="true"]',
};

/** Properties without a colour, and how their values must be written. None changes the size of a button. */
const plain: Readonly<Record<string, RegExp>> = {
  'border-width': /^[0-4](?:\.\d+)?px$/,
  'border-style': /^(?:solid|dashed|dotted|double)$/,
  'border-radius': /^(?:0|(?:\d{1,3}(?:\.\d+)?|\.\d+)(?:px|rem|em))$/,
  'box-shadow': /^(?:none|soft|strong)$/,
  'font-weight': /^[4-9]00$/,
  'letter-spacing': /^-?0?(?:\.0\d+|\.1)em$|^0$/,
  'text-transform': /^(?:none|uppercase|capitalize)$/,
};
const painted = ['color', 'background-color', 'border-color'] as const;

export interface ReadRules {
  readonly css: string;
  /** Selectors and properties that were refused. */
  readonly refused: readonly string[];
  /** Corrected colours, each as `part property from > to`. */
  readonly moved: readonly string[];
}

/** Backgrounds that the rules give to parts with texts of the look. The look keeps its texts readable on them. */
export function ruleSurfaces(rules: Rules, read: (value: string) => Colour | undefined): Colour[] {
  return Object.entries(rules).flatMap(([selector, values]) => {
    const known = splitSelector(selector);
    const colour = values['background-color'] === undefined ? undefined : read(values['background-color']);
    return known && parts[known.part].isSurface && colour ? [{ ...colour, alpha: 1 }] : [];
  });
}

/**
 * Turns the rules of a host into CSS.
 *
 * @param read reads a colour by value or by the name of a variable of the look
 */
export function readRules(rules: Rules, look: Look, read: (value: string) => Colour | undefined): ReadRules {
  const refused: string[] = [];
  const moved: string[] = [];
  const css = Object.entries(rules).map(([selector, values]) => {
    const known = splitSelector(selector);
    if (known === undefined) {
      refused.push(selector);
      return '';
    }
    const declarations: string[] = [];
    const paint: Partial<Record<(typeof painted)[number], Colour>> = {};
    for (const [property, value] of Object.entries(values)) {
      const colour = isPainted(property) ? read(value.trim()) : undefined;
      if (colour !== undefined && isPainted(property)) paint[property] = { ...colour, alpha: 1 };
      else if (Object.hasOwn(plain, property) && plain[property]?.test(value)) {
        declarations.push(`${property}:${shadows[value] ?? value}`);
      } else refused.push(`${selector} ${property}`);
    }
    const { text, behind: own, isSurface } = parts[known.part];
    const base = rules[known.part];
    const wanted = paint['background-color'] ?? inherited(base?.['background-color'], read) ?? look[own];
    const behind = isSurface ? surfaceFor(wanted, inkOn(look.surface)) : wanted;
    const declare = (property: string, from: Colour, to: Colour): void => {
      if (writeColour(from) !== writeColour(to))
        moved.push(`${selector} ${property} ${writeColour(from)} > ${writeColour(to)}`);
      declarations.push(`${property}:${writeColour(to)}`);
    };
    if (paint.color !== undefined || paint['background-color'] !== undefined) {
      const given = paint.color ?? inherited(base?.['color'], read) ?? look[text];
      declare('background-color', wanted, behind);
      declare('color', given, nearest(given, behind, TEXT_CONTRAST));
    }
    const edge = paint['border-color'];
    // A field is recognised by its edge, so the edge needs contrast. Other edges may be faint.
    if (edge) declare('border-color', edge, known.part === 'input' ? nearest(edge, behind, GRAPHIC_CONTRAST) : edge);
    return declarations.length === 0
      ? ''
      : `[data-part="${known.part}"]${states[known.state]}{${declarations.join(';')}}`;
  });
  return { css: css.join(''), refused, moved };
}

const isPainted = (property: string): property is (typeof painted)[number] =>
  (painted as readonly string[]).includes(property);

function inherited(value: string | undefined, read: (value: string) => Colour | undefined): Colour | undefined {
  const colour = value === undefined ? undefined : read(value.trim());
  return colour && { ...colour, alpha: 1 };
}

function nearest(colour: Colour, behind: Colour, least: number): Colour {
  return moveUntil(colour, inkOn(behind), (candidate) => contrast(candidate, behind) >= least);
}

/** Splits `tile:hover` into part and state; undefined when either is unknown. */
function splitSelector(selector: string): { readonly part: Part; readonly state: string } | undefined {
  const [part = '', state = '', ...more] = selector.split(':');
  const isKnown = Object.hasOwn(parts, part) && Object.hasOwn(states, state) && more.length === 0;
  return isKnown ? { part: part as Part, state } : undefined;
}
