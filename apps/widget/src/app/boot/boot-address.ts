/** What the embedding page may say in the address: nothing secret, and only what is needed before it has answered. */
import { readThemeChoice, type ThemeChoice } from '../look/theme.ts';

export interface AddressOptions {
  readonly locale: string | undefined;
  readonly theme: ThemeChoice | undefined;
  /** The frame grows with its screen. */
  readonly autoHeight: boolean;
}

/** Reads the options and takes `locale` out of the address (§7), so that a reload follows what the host says then. */
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
