/**
 * Keeps texts readable in a host's colours (UI-9, UI-3). Every text of the look has the contrast of WCAG 2.2 on every surface
 * that it is drawn on. A colour that is too faint is moved towards black or white, no further than needed.
 */
import {
  BLACK,
  contrast,
  GRAPHIC_CONTRAST,
  mix,
  moveUntil,
  TEXT_CONTRAST,
  WHITE,
} from '@opencashier/core/colour/contrast';
import type { Colour } from '@opencashier/core/colour/parse-colour';

/** Colours that texts are drawn on. The first decides whether texts are dark or light; the others are adapted to it. */
const surfaces = [
  'surface',
  'bg',
  'surface-hover',
  'sunken',
  'accent-soft',
  'warn-soft',
  'bad-soft',
  'good-soft',
  'brand-soft',
] as const;

/** Texts, each of which may be drawn on every surface. */
const texts = ['text', 'muted', 'accent-text', 'warn', 'bad', 'good', 'brand'] as const;

/** Lines and signs, which need less contrast than texts. */
const signs = ['accent', 'focus', 'line-strong'] as const;
const behindSigns = ['surface', 'bg'] as const;
const tinted = ['surface', 'bg'] as const;

/** The largest share of a text colour that styles mix into the colour behind it, as for tabs and hovered buttons. */
const strongestTint = 0.16;
/** The share of black behind the clock of a banner. */
const bannerShade = 0.22;

export const checkedColours = [
  ...surfaces,
  ...texts,
  ...signs,
  'accent-hover',
  'on-accent',
  'banner',
  'on-banner',
] as const;
export type CheckedColour = (typeof checkedColours)[number];
export type Look = Readonly<Record<CheckedColour, Colour>>;

/** Every pair of colours that needs contrast. `on` is the colour behind, with the tints that styles mix into it. */
export function contrastsOf(
  look: Look,
  more: readonly Colour[] = [],
): { readonly name: CheckedColour; readonly on: Colour; readonly least: number }[] {
  const onSurfaces = (name: CheckedColour): Colour[] => [
    ...surfaces.map((behind) => look[behind]),
    ...more,
    ...tinted.map((behind) => mix(look[name], strongestTint, look[behind])),
  ];
  return [
    ...texts.flatMap((name) => onSurfaces(name).map((on) => ({ name, on, least: TEXT_CONTRAST }))),
    ...(['accent-text', 'text'] as const).map((name) => ({
      name,
      on: mix(look.accent, strongestTint, look.surface),
      least: TEXT_CONTRAST,
    })),
    ...signs.flatMap((name) => behindSigns.map((behind) => ({ name, on: look[behind], least: GRAPHIC_CONTRAST }))),
    { name: 'on-accent', on: look.accent, least: TEXT_CONTRAST },
    { name: 'on-accent', on: look['accent-hover'], least: TEXT_CONTRAST },
    { name: 'on-banner', on: look.banner, least: TEXT_CONTRAST },
    { name: 'on-banner', on: mix(BLACK, bannerShade, look.banner), least: TEXT_CONTRAST },
  ];
}

/**
 * The readable look that is nearest to the given one.
 *
 * @param others further colours that its texts are drawn on, before they are corrected
 */
export function legibleLook(given: Look, others: readonly Colour[] = []): Look {
  const look = Object.fromEntries(
    Object.entries(given).map(([name, colour]) => [name, colour.alpha < 1 ? { ...colour, alpha: 1 } : colour]),
  ) as Record<CheckedColour, Colour>;
  const ink = inkOn(look.surface);
  const more = others.map((behind) => surfaceFor(behind, ink));
  const isRead = (name: CheckedColour): boolean =>
    contrastsOf(look, more).every((pair) => pair.name !== name || contrast(look[name], pair.on) >= pair.least);
  const move = (name: CheckedColour, ink: Colour): void => {
    look[name] = moveUntil(look[name], ink, (candidate) => {
      look[name] = candidate;
      return isRead(name);
    });
  };

  for (const name of surfaces) look[name] = surfaceFor(look[name], ink);
  // Signs come before texts, because a tint of the accent is behind some texts.
  for (const name of [...signs, ...texts]) move(name, ink);

  const inkOfAccent = inkOn(look.accent);
  look['accent-hover'] = moveUntil(
    look['accent-hover'],
    look.accent,
    (candidate) => contrast(inkOfAccent, candidate) >= TEXT_CONTRAST,
  );
  move('on-accent', inkOfAccent);
  const inkOfBanner = inkOn(look.banner);
  look.banner = moveUntil(
    look.banner,
    opposite(inkOfBanner),
    (candidate) => contrast(inkOfBanner, mix(BLACK, bannerShade, candidate)) >= TEXT_CONTRAST,
  );
  move('on-banner', inkOfBanner);
  return look;
}

/** Black or white, whichever has more contrast. One of them always reaches 4.58. */
export function inkOn(behind: Colour): Colour {
  return contrast(BLACK, behind) >= contrast(WHITE, behind) ? BLACK : WHITE;
}

function opposite(ink: Colour): Colour {
  return ink === BLACK ? WHITE : BLACK;
}

/** The nearest colour on which black or white text (`ink`) can be read, even on its strongest tint. */
export function surfaceFor(behind: Colour, ink: Colour): Colour {
  return moveUntil(behind, opposite(ink), (candidate) => isReadableSurface(candidate, ink));
}

/** Whether the ink can be read on its own strongest tint. Every text can then be corrected by moving it towards the ink. */
function isReadableSurface(behind: Colour, ink: Colour): boolean {
  return contrast(ink, mix(ink, strongestTint, behind)) >= TEXT_CONTRAST;
}
