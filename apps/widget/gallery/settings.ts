/** How a state is shown. The settings are in the address, so that a state can be linked and photographed. */

import type { Appearance } from '@opencashier/contract/host';

export const widths = [390, 768, 1280] as const;

export const looks = {
  own: {},
  compact: { density: 'compact' },
  roomy: { density: 'roomy' },
  square: { 'radius-s': '0', 'radius-m': '2px', 'radius-l': '2px', 'radius-full': '2px' },
  violet: { accent: '#6d28d9', 'accent-hover': '#5b21b6', 'on-accent': '#fff' },
  rows: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The parts of a look that are not variables, as a host gives them. */
export const lookParts: Partial<Record<keyof typeof looks, Omit<Appearance, 'variables'>>> = {
  rows: {
    preset: 'clean',
    icons: 'plain',
    logo: {
      name: 'Larkfield',
      src: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 28"><rect width="28" height="28" rx="8" fill="#3d4fe0"/><rect x="38" y="9" width="82" height="10" rx="5" fill="#777da0"/></svg>')}`,
    },
    rules: { button: { 'background-color': '#3d4fe0', color: '#ffffff', 'border-radius': '999px' } },
  },
};

export interface Settings {
  readonly state: string;
  readonly theme: 'light' | 'dark';
  readonly locale: string;
  /** `auto` is the direction of the language. */
  readonly direction: 'auto' | 'ltr' | 'rtl';
  readonly width: (typeof widths)[number];
  readonly look: keyof typeof looks;
  readonly motion: 'full' | 'reduced';
  /** Size of the text in per cent. */
  readonly text: 100 | 200;
  /** Every letter is a block of one width, so that a picture is the same on every machine. */
  readonly blocks: boolean;
  /** The state alone, without the gallery around it. */
  readonly bare: boolean;
}

export const usual: Settings = {
  state: '',
  theme: 'light',
  locale: 'en',
  direction: 'auto',
  width: 390,
  look: 'own',
  motion: 'full',
  text: 100,
  blocks: false,
  bare: false,
};

/** Reads a query. A missing or unreadable setting has its default. */
export function readSettings(query: string): Settings {
  const given = new URLSearchParams(query);
  const one = <Value extends string | number>(name: string, among: readonly Value[], otherwise: Value): Value =>
    among.find((value) => String(value) === given.get(name)) ?? otherwise;
  return {
    state: given.get('state') ?? '',
    theme: one('theme', ['light', 'dark'], usual.theme),
    locale: given.get('locale') ?? usual.locale,
    direction: one('direction', ['auto', 'ltr', 'rtl'], usual.direction),
    width: one('width', widths, usual.width),
    look: one('look', Object.keys(looks) as (keyof typeof looks)[], usual.look),
    motion: one('motion', ['full', 'reduced'], usual.motion),
    text: one('text', [100, 200], usual.text),
    blocks: given.has('blocks'),
    bare: given.has('bare'),
  };
}

/** Writes a query with the settings that differ from the defaults. */
export function writeSettings(settings: Settings): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    if (value === usual[name as keyof Settings] || value === false) continue;
    query.set(name, value === true ? '' : String(value));
  }
  return query
    .toString()
    .replace(/=(?=&|$)/g, '')
    .replaceAll('%2F', '/');
}
