/** Puts the settings of the gallery on the page: theme, look, language, size of the text, motion, letters. */

import type { Locale } from '../src/app/locale/locale.ts';
import { showAppearance } from '../src/app/look/appearance.ts';
import { createLookParts, withPreset } from '../src/app/look/look-parts.ts';
import { applyTheme } from '../src/app/look/theme.ts';
import type { Texts } from '../src/kit/session/services.tsx';
import { blocksFamily, blocksFont } from './blocks-font.ts';
import { lookParts, looks, type Settings } from './settings.ts';
import styles from './stage.module.css';

/** Shows the theme and the look of the settings. @returns removes the look */
export function showLook(page: HTMLElement, { theme, look }: Pick<Settings, 'theme' | 'look'>): () => void {
  page.removeAttribute('style');
  applyTheme({ root: page, prefersDark: matchMedia('(prefers-color-scheme: dark)') }, theme);
  const more = lookParts[look];
  const appearance = withPreset({ variables: looks[look], ...more });
  // As in the widget: its own colours are not corrected, so that a lack of contrast is seen.
  if (Object.keys(appearance.variables).length === 0) return () => {};
  const say = (message: string) => console.info(message);
  return showAppearance(page, appearance, (_code, message) => say(message), more && createLookParts(appearance, say));
}

/** Shows the language of the settings on the page. @returns its texts, with the direction of the settings */
export async function showTexts(page: HTMLElement, locale: Locale, settings: Settings): Promise<Texts> {
  await locale.show(settings.locale);
  const own = locale.texts.getState();
  const texts = { ...own, direction: settings.direction === 'auto' ? own.direction : settings.direction };
  page.lang = texts.locale;
  page.dir = texts.direction;
  return texts;
}

export async function showLetters(page: HTMLElement, { text, motion, blocks }: Settings): Promise<void> {
  page.style.fontSize = text === 100 ? '' : `${text}%`;
  page.classList.toggle(styles['still'] ?? '', motion === 'reduced' || blocks);
  page.classList.toggle(styles['blocks'] ?? '', blocks);
  if (blocks) await loadBlocks();
}

let blocksFace: Promise<FontFace> | undefined;

function loadBlocks(): Promise<FontFace> {
  blocksFace ??= new FontFace(blocksFamily, blocksFont(), { weight: '1 1000' }).load().then((face) => {
    document.fonts.add(face);
    return face;
  });
  return blocksFace;
}
