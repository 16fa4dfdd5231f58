import type { Texts } from '../session/services.tsx';

const names = new Map<string, Intl.DisplayNames>();

/**
 * The name of a fiat currency in the user's language, by the platform's own data. Undefined for a code that the platform does not
 * know.
 */
export function currencyName(code: string, { formatLocale }: Pick<Texts, 'formatLocale'>): string | undefined {
  let display = names.get(formatLocale);
  if (!display) {
    display = new Intl.DisplayNames([formatLocale, 'en'], { type: 'currency', fallback: 'none' });
    names.set(formatLocale, display);
  }
  try {
    return display.of(code);
  } catch (error) {
    // The platform throws for a code of more than three letters, as some coins have.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
