/** The theme of the page, and the host's look over it (UI-9). The code of a look is loaded when a host has one. */
import type { Appearance } from '@opencashier/contract/host';
import type { Report } from '../../host/channel-reports.ts';
import { applyTheme, chooseTheme, type ThemeChoice, type ThemePage } from '../look/theme.ts';

export interface PageLook {
  /** Shows a look in place of the last one; without an appearance, the widget's own. Never rejects. */
  show(appearance: Appearance | undefined, isNative: boolean): Promise<void>;
}

/** Shows the theme of the address at once, or the light theme when the address names none. */
export function createPageLook(page: ThemePage, addressTheme: ThemeChoice | undefined, report: Report): PageLook {
  let stopTheme = applyTheme(page, addressTheme ?? 'light');
  let stopLook = (): void => {};
  let wanted: Appearance | undefined;
  return {
    async show(appearance, isNative) {
      stopTheme();
      stopTheme = applyTheme(page, chooseTheme(isNative, appearance, addressTheme));
      stopLook();
      wanted = appearance;
      if (appearance === undefined) return;
      try {
        const draw = await loadLook(page.root, appearance, report);
        // The host may have sent another look while this one was fetched.
        if (draw && wanted === appearance) stopLook = draw();
      } catch (error) {
        // The person can pay in the widget's own look as well.
        report('unexpected', `The appearance could not be loaded: ${error}`);
      }
    },
  };
}

/**
 * Fetches the code that draws a look.
 *
 * @returns a function that draws the look and returns how to remove it; undefined when the look changes only the theme
 */
async function loadLook(
  root: HTMLElement,
  appearance: Appearance,
  report: Report,
): Promise<(() => () => void) | undefined> {
  const { theme: _, variables, darkVariables, ...more } = appearance;
  const hasParts = Object.keys(more).length > 0;
  if (!hasParts && Object.keys({ ...variables, ...darkVariables }).length === 0) return undefined;
  const [{ showAppearance }, parts] = await Promise.all([
    import('../look/appearance.ts'),
    hasParts ? import('../look/look-parts.ts') : undefined,
  ]);
  return () =>
    showAppearance(
      root,
      parts ? parts.withPreset(appearance) : appearance,
      report,
      parts?.createLookParts(appearance, (message) => report('host-field-defaulted', message)),
    );
}
