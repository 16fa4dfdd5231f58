/** Names of languages: their direction, and how they write numbers. */
import { writesAlike } from '@opencashier/core/locale/writes-alike';
import { withTextDigits } from '@opencashier/core/money/number-locale';

const writtenRightToLeft: ReadonlySet<string> = new Set(['ar', 'ur', 'fa', 'he']);

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return writtenRightToLeft.has(languageOf(locale)) ? 'rtl' : 'ltr';
}

export function languageOf(locale: string): string {
  return locale.split('-')[0] ?? locale;
}

/**
 * The locale for numbers and dates. It is the host's (`en-GB`) when that has the language shown, else the language shown. It
 * always has the digits of the texts. A language that browsers cannot write has the locale of one that writes alike.
 */
export function formatLocaleOf(locale: string, asked: string): string {
  const alike = writesAlike(locale);
  if (alike !== undefined) return alike;
  const candidate = asked.replaceAll('_', '-');
  if (languageOf(candidate).toLowerCase() !== languageOf(locale)) return withTextDigits(locale);
  try {
    return withTextDigits(Intl.getCanonicalLocales(candidate)[0] ?? locale);
  } catch (error) {
    if (error instanceof RangeError) return withTextDigits(locale);
    throw error;
  }
}
