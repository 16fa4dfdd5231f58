/** Light or dark theme (HOST-13, UI-9). The other settings of a look are in `appearance.ts`. */
import type { Appearance } from '@opencashier/contract/host';

export type ThemeChoice = 'light' | 'dark' | 'auto';

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

/** Shows a theme on the page; `auto` follows the device from now on. @returns stops following */
export function applyTheme({ root, prefersDark }: ThemePage, choice: ThemeChoice): () => void {
  const show = (): void => {
    root.dataset['theme'] = choice === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : choice;
  };
  show();
  if (choice !== 'auto') return () => {};
  prefersDark.addEventListener('change', show);
  return () => prefersDark.removeEventListener('change', show);
}
