import type { Texts } from '../session/services.tsx';

const names = new Map<string, Intl.DisplayNames>();

/** The money of a state in the person's language, by the platform's own data; undefined for a code that it does not know. */
export function currencyName(code: string, { formatLocale }: Pick<Texts, 'formatLocale'>): string | undefined {
  let display = names.get(formatLocale);
  if (!display) {
    display = new Intl.DisplayNames([formatLocale, 'en'], { type: 'currency', fallback: 'none' });
    names.set(formatLocale, display);
  }
  try {
    return display.of(code);
  } catch (error) {
    // Coins of more than three letters are no codes to it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
