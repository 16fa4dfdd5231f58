/** Options that the host puts into the address: nothing secret, and only what is needed before the host has answered. */
import { readThemeChoice, type ThemeChoice } from '../look/theme.ts';

export interface AddressOptions {
  readonly locale: string | undefined;
  readonly theme: ThemeChoice | undefined;
  /** The frame grows with its screen (UI-4). */
  readonly autoHeight: boolean;
}

/** Reads the options and takes `locale` out of the address (§7). After a reload the locale that the host names then counts. */
export function takeAddressOptions({ location, history }: Pick<Window, 'location' | 'history'>): AddressOptions {
  const address = new URL(location.href);
  const locale = address.searchParams.get('locale') ?? undefined;
  const theme = readThemeChoice(address.searchParams.get('theme'));
  if (locale !== undefined) {
    address.searchParams.delete('locale');
    history.replaceState(history.state, '', `${address.pathname}${address.search}${address.hash}`);
  }
  return { locale, theme, autoHeight: address.searchParams.has('autoHeight') };
}
