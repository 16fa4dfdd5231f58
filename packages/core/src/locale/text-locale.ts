/** Which of our languages a locale means, however a host or a browser writes it (HOST-8). */

/** Our language when none is named, or an unreadable one. */
export const fallbackLocale = 'en';

/** Variants that follow from language and region alone. */
const variants = ['hi-IN', 'es-MX', 'es-ES'];

/**
 * The tag of the texts: the language without its region, or a variant with its own texts. Case, underscores and extensions do not
 * matter. Browsers replace old codes: `in` is `id`, and `tl` is `fil`.
 *
 * Portuguese outside Brazil is written as in Portugal, and Chinese in Taiwan, Hong Kong and Macao in traditional characters. This
 * is how CLDR orders its parent locales, too.
 */
export function textLocaleOf(locale: string): string {
  try {
    // An encoding may follow, as in `de_DE.UTF-8`.
    const [tag] = /^\w[\w-]*/.exec(locale.trim()) ?? [fallbackLocale];
    const { language, script, region = '' } = new Intl.Locale(tag.replaceAll('_', '-'));
    if (language === 'hi' && script === 'Latn') return 'hi-Latn-IN';
    if (language === 'zh' && (script ?? (/TW|HK|MO/.test(region) && 'Hant')) === 'Hant') return 'zh-Hant';
    if (language === 'pt' && /^(?!BR)\D/.test(region)) return 'pt-PT';
    const variant = `${language}-${region}`;
    if (variants.includes(variant)) return variant;
    // A word such as `english` has the form of a tag.
    return language.length > 3 ? fallbackLocale : language;
  } catch (error) {
    if (error instanceof RangeError) return fallbackLocale;
    throw error;
  }
}
