/** Names of languages: which of our files the locale of a host means. */
import { withTextDigits } from '@opencashier/core/money/number-locale';

/** §9: the language when the host names none or an unreadable one. */
export const fallbackLocale = 'en';

const keptWhole = ['hi-Latn-IN', 'hi-IN', 'es-MX', 'es-ES'];
const writtenRightToLeft: ReadonlySet<string> = new Set(['ar', 'ur', 'fa', 'he']);

/** HOST-8: the language without its country, except for the four variants that have their own texts. Case does not matter. */
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
 * The locale for numbers and dates. It is the host's (`en-GB`) when that has the language shown, else the language shown. It
 * always has the digits of the texts.
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
