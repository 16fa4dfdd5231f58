/** Names of languages: what a host may write, and which of our files it means. */
import { withTextDigits } from '@opencashier/core/money/number-locale';

/** §9: no language, or one that cannot be read. */
export const fallbackLocale = 'en';

const keptWhole = ['hi-Latn-IN', 'hi-IN', 'es-MX', 'es-ES'];
const writtenRightToLeft: ReadonlySet<string> = new Set(['ar', 'ur', 'fa', 'he']);

/** HOST-8: the language alone, except for the four variants that have texts of their own. Any spelling of case is read. */
export function reduceLocale(locale: string): string {
  const whole = keptWhole.find((name) => name.toLowerCase() === locale.trim().replaceAll('_', '-').toLowerCase());
  if (whole !== undefined) return whole;
  const language = locale.trim().split(/[-_]/)[0]?.toLowerCase() ?? '';
  return /^[a-z]{2,3}$/.test(language) ? language : fallbackLocale;
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return writtenRightToLeft.has(languageOf(locale)) ? 'rtl' : 'ltr';
}

export function languageOf(locale: string): string {
  return locale.split('-')[0] ?? locale;
}

/**
 * The locale for numbers and dates: the host's own (`en-GB`) where it is of the language shown, else that language; in either
 * case with the digits of the texts.
 */
export function formatLocaleOf(locale: string, asked: string): string {
  const candidate = asked.replaceAll('_', '-');
  if (languageOf(candidate).toLowerCase() !== languageOf(locale)) return withTextDigits(locale);
  try {
    return withTextDigits(Intl.getCanonicalLocales(candidate)[0] ?? locale);
  } catch (error) {
    if (error instanceof RangeError) return withTextDigits(locale);
    throw error;
  }
}
