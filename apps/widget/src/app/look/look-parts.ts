/** The parts of a host's look that variables cannot express (UI-9): presets, rules per part, rows, logo, icons and fonts. */
import type { Appearance } from '@opencashier/contract/host';
import type { Colour } from '@opencashier/core/colour/parse-colour';
import type { Look } from './legible-look.ts';
import { readRules, ruleSurfaces } from './look-rules.ts';

type Variables = Readonly<Record<string, string>>;

/** Ready looks. Values of the host override them. */
const presets: Readonly<
  Record<NonNullable<Appearance['preset']>, { variables: Variables; list?: 'rows'; rules?: Appearance['rules'] }>
> = {
  clean: {
    variables: { 'radius-s': '6px', 'radius-m': '8px', 'radius-l': '10px', shadow: 'none', 'shadow-raised': 'soft' },
    list: 'rows',
  },
  soft: {
    variables: { 'radius-s': '12px', 'radius-m': '18px', 'radius-l': '24px', shadow: 'soft', density: 'roomy' },
  },
  sharp: {
    variables: { 'radius-s': '0', 'radius-m': '2px', 'radius-l': '2px', 'radius-full': '2px', density: 'compact' },
    rules: { button: { 'letter-spacing': '.04em', 'text-transform': 'uppercase' } },
  },
};

const rows = `[data-part="tiles"]{grid-template-columns:minmax(0,1fr)}
[data-tiles]{grid-column:1/-1}
[data-part="tile"]{flex-direction:row;align-items:center;justify-content:flex-start;gap:12px;min-height:calc(64px*var(--density))}
[data-part="tile"]>:first-child{display:contents}
[data-part="tile"]>:first-child>:first-child{flex:none;margin-block-start:0}
[data-part="tile"]>:first-child>:last-child:not(:first-child){order:2;max-inline-size:40%}
[data-part="tile"]>:last-child{flex:1 1 auto;order:1}`;
const plainIcons = ':is([data-part="tile"],[data-part="row"]) [data-part="mark"] img{filter:grayscale(1)}';
const logoRule = (address: string, name: string) =>
  `[data-part="header"]{flex-wrap:wrap}[data-part="header"]::before{content:"";flex:0 0 100%;block-size:28px;background:url("${address}") left center/contain no-repeat}[dir="rtl"] [data-part="header"]::before{background-position:right center}@supports (content:""/""){[data-part="header"]::before{content:""/"${name}"}}`;

/** Adds the variables of the preset that the host has not set. */
export function withPreset(appearance: Appearance): Appearance {
  const ready = appearance.preset && presets[appearance.preset].variables;
  return ready ? { ...appearance, variables: { ...ready, ...appearance.variables } } : appearance;
}

export interface LookParts {
  /** Colours that the rules put behind texts of the look. */
  surfaces(read: (value: string) => Colour | undefined): Colour[];
  /** Draws all parts for a look. @returns refused selectors and properties, and corrected colours */
  draw(
    look: Look,
    read: (value: string) => Colour | undefined,
  ): { refused: readonly string[]; moved: readonly string[] };
  clear(): void;
}

/** Fetches fonts at once. A page that is drawn before they arrive changes its letters when they do. */
export function createLookParts(
  { preset, list, icons, logo, fonts = [], rules = {} }: Appearance,
  report: (message: string) => void,
): LookParts {
  const all = { ...(preset && presets[preset].rules), ...rules };
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const faces = fonts.flatMap((font) => {
    const address = assetAddress(font.src);
    if (address === undefined) {
      report(`The font ${font.family} was refused: its address must begin with https.`);
      return [];
    }
    const { weight = '400', style = 'normal', unicodeRange } = font;
    const face = new FontFace(font.family, `url("${address}")`, {
      weight,
      style,
      display: 'swap',
      ...(unicodeRange !== undefined && { unicodeRange }),
    });
    document.fonts.add(face);
    face.load().catch((error: unknown) => report(`The font ${font.family} could not be loaded: ${error}.`));
    return [face];
  });
  const address = logo && assetAddress(logo.src);
  if (logo && address === undefined)
    report('The logo was refused: its address must begin with https or be a picture in base64.');
  if (address !== undefined) {
    // The browser does not report a picture of a style sheet that fails, so load it here as well.
    const picture = new Image();
    picture.onerror = () => report('The logo could not be loaded: serve it from an origin of your list.');
    picture.src = address;
  }
  return {
    surfaces: (read) => ruleSurfaces(all, read),
    draw(look, read) {
      const { css, refused, moved } = readRules(all, look, read);
      const isRows = (list ?? (preset && presets[preset].list)) === 'rows';
      sheet.replaceSync(
        [
          isRows ? rows : '',
          icons === 'plain' ? plainIcons : '',
          address === undefined ? '' : logoRule(address, (logo?.name ?? '').replace(/["\\]|\p{Cc}/gu, '')),
          css,
        ].join('\n'),
      );
      return { refused, moved };
    },
    clear() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
      for (const face of faces) document.fonts.delete(face);
    },
  };
}

/** An address that is safe inside quotes and allowed by the page's policy; undefined otherwise. http only on localhost. */
function assetAddress(src: string): string | undefined {
  if (/^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/.test(src)) return src;
  if (!URL.canParse(src)) return undefined;
  const { protocol, hostname, href, username, password } = new URL(src);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname));
  return isSafe && username === '' && password === '' && !/["\\\s]/.test(href) ? href : undefined;
}
