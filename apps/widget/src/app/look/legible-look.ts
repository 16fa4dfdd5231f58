/**
 * Keeps what a host's colours say readable (UI-9, UI-3): whatever it sets, every text of the look has the contrast of WCAG 2.2
 * on every surface that it stands on. What is too faint is moved towards black or white, and no further than needed.
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

/** Where texts stand. The first decides whether texts are dark or light; the others follow it. */
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

/** Every text that stands on any of them. */
const texts = ['text', 'muted', 'accent-text', 'warn', 'bad', 'good', 'brand'] as const;

/** Lines and signs that must be seen, not read. */
const signs = ['accent', 'focus', 'line-strong'] as const;
const behindSigns = ['surface', 'bg'] as const;
const tinted = ['surface', 'bg'] as const;

/** Tints that styles mix by themselves, as the share of a text in what is behind it: tabs, buttons under the pointer. */
const strongestTint = 0.16;
/** The shade behind a banner's clock. */
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

/** What must be read on what, and how well. `on` is what is really behind it, with the tints that styles mix. */
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
 * The look that is nearest to the given one and can be read.
 * @param others what else its texts stand on, as `bearing` moves it
 */
export function legibleLook(given: Look, others: readonly Colour[] = []): Look {
  const look = Object.fromEntries(
    Object.entries(given).map(([name, colour]) => [name, colour.alpha < 1 ? { ...colour, alpha: 1 } : colour]),
  ) as Record<CheckedColour, Colour>;
  const ink = inkOn(look.surface);
  const more = others.map((behind) => bearing(behind, ink));
  const isRead = (name: CheckedColour): boolean =>
    contrastsOf(look, more).every((pair) => pair.name !== name || contrast(look[name], pair.on) >= pair.least);
  const move = (name: CheckedColour, ink: Colour): void => {
    look[name] = moveUntil(look[name], ink, (candidate) => {
      look[name] = candidate;
      return isRead(name);
    });
  };

  for (const name of surfaces) look[name] = bearing(look[name], ink);
  // Before the texts: a tint of it stands behind one of them.
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

/** Black or white, whichever is read better. One of them always reaches 4.58. */
export function inkOn(behind: Colour): Colour {
  return contrast(BLACK, behind) >= contrast(WHITE, behind) ? BLACK : WHITE;
}

function opposite(ink: Colour): Colour {
  return ink === BLACK ? WHITE : BLACK;
}

/** The colour that is nearest to the given one and bears every text of that ink. */
export function bearing(behind: Colour, ink: Colour): Colour {
  return moveUntil(behind, opposite(ink), (candidate) => bears(candidate, ink));
}

/** Whether the ink can be read even on its own strongest tint: then every text finds a place between itself and the ink. */
function bears(behind: Colour, ink: Colour): boolean {
  return contrast(ink, mix(ink, strongestTint, behind)) >= TEXT_CONTRAST;
}
