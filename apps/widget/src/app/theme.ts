/** Light or dark, and what a host may change about the look (HOST-13, UI-9). */
import type { Appearance } from '@opencashier/contract/host';

export type ThemeChoice = 'light' | 'dark' | 'auto';

/** The properties of `tokens.css` that a host may set, without their dashes. */
export const appearanceVariables: ReadonlySet<string> = new Set([
  'font',
  'font-size',
  'bg',
  'surface',
  'surface-hover',
  'sunken',
  'line',
  'line-strong',
  'text',
  'muted',
  'accent',
  'accent-hover',
  'on-accent',
  'accent-soft',
  'accent-text',
  'warn',
  'warn-soft',
  'bad',
  'bad-soft',
  'focus',
  'banner',
  'on-banner',
  'brand',
  'brand-soft',
  'radius-s',
  'radius-m',
  'radius-l',
  'radius-full',
  'density',
]);

const longestValue = 200;

/** A value that could end its declaration or fetch something is refused; the rest the browser itself checks. */
export function isSafeValue(value: string): boolean {
  return value.length <= longestValue && !/[;{}\\<>]|url\s*\(|image(?:-set)?\s*\(|src\s*\(|@import|\/\*/i.test(value);
}

export function readThemeChoice(value: string | null | undefined): ThemeChoice | undefined {
  return value === 'light' || value === 'dark' || value === 'auto' ? value : undefined;
}

/** HOST-13: apps are dark and everything else is light, unless the host or its address says otherwise. */
export function chooseTheme(
  native: boolean,
  appearance: Appearance | undefined,
  address: ThemeChoice | undefined,
): ThemeChoice {
  return appearance?.theme ?? address ?? (native ? 'dark' : 'light');
}

export interface ThemePage {
  readonly root: HTMLElement;
  readonly prefersDark: Pick<MediaQueryList, 'matches' | 'addEventListener' | 'removeEventListener'>;
}

/** Shows a theme on the page; `auto` follows the device from now on. Answers how to stop following. */
export function applyTheme({ root, prefersDark }: ThemePage, choice: ThemeChoice): () => void {
  const show = (): void => {
    root.dataset['theme'] = choice === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : choice;
  };
  show();
  if (choice !== 'auto') return () => {};
  prefersDark.addEventListener('change', show);
  return () => prefersDark.removeEventListener('change', show);
}

/**
 * Sets the host's variables on the page.
 *
 * @returns the names that were refused, for the report to the host
 */
export function applyAppearance(root: HTMLElement, appearance: Appearance | undefined): string[] {
  const refused: string[] = [];
  for (const [name, value] of Object.entries(appearance?.variables ?? {})) {
    if (appearanceVariables.has(name) && isSafeValue(value)) root.style.setProperty(`--${name}`, value);
    else refused.push(name);
  }
  return refused;
}
