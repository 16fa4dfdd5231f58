/** Which of our languages a locale means, however a host or a browser writes it (HOST-8). */

/** Our language when none is named, or an unreadable one. */
export const fallbackLocale = 'en';

/** Variants with texts of their own. The first three are read from the whole tag, the others also from its region. */
const variants = ['hi-Latn-IN', 'hi-IN', 'es-MX', 'es-ES', 'pt-PT', 'zh-Hant'];

/**
 * The tag of the texts: the language without its region, or a variant with its own texts. Case and underscores do not matter.
 *
 * Portuguese outside Brazil is written as in Portugal, and Chinese in Taiwan, Hong Kong and Macao in traditional characters. This
 * is how CLDR orders its parent locales, too.
 */
export function textLocaleOf(locale: string): string {
  const tag = locale.trim().replaceAll('_', '-').toLowerCase();
  const whole = variants.find((name) => name.toLowerCase() === tag);
  if (whole !== undefined) return whole;
  if (/^zh-(?:hant|tw|hk|mo)(?:-|$)/.test(tag)) return 'zh-Hant';
  if (/^pt-(?!br(?:-|$))[a-z]{2}(?:-|$)/.test(tag)) return 'pt-PT';
  if (/^hi-latn(?:-|$)/.test(tag)) return 'hi-Latn-IN';
  const language = tag.split('-')[0] ?? '';
  return /^[a-z]{2,3}$/.test(language) ? language : fallbackLocale;
}
