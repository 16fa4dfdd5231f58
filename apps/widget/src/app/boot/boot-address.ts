/** Options that the host puts into the address: nothing secret, and only what is needed before the host has answered. */
import { readThemeChoice, type ThemeChoice } from '../look/theme.ts';

export interface AddressOptions {
  readonly locale: string | undefined;
  readonly theme: ThemeChoice | undefined;
  /** The frame grows with its screen (UI-4). */
  readonly autoHeight: boolean;
  /** The host has loaded this page beforehand, and answers only when the user opens the cashier. */
  readonly isPreloaded: boolean;
}

/**
 * Reads the options. Takes `locale` (§7) and `preload` out of the address: after a reload the locale that the host names then
 * counts, and the host is there.
 */
export function takeAddressOptions({ location, history }: Pick<Window, 'location' | 'history'>): AddressOptions {
  const address = new URL(location.href);
  const locale = address.searchParams.get('locale') ?? undefined;
  const theme = readThemeChoice(address.searchParams.get('theme'));
  const isPreloaded = address.searchParams.has('preload');
  if (locale !== undefined || isPreloaded) {
    address.searchParams.delete('locale');
    address.searchParams.delete('preload');
    history.replaceState(history.state, '', `${address.pathname}${address.search}${address.hash}`);
  }
  return { locale, theme, autoHeight: address.searchParams.has('autoHeight'), isPreloaded };
}
