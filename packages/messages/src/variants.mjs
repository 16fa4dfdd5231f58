/** Variants of a language, such as es-MX. Their files hold only the texts that differ. */

/**
 * The language from which a variant starts: `es` for `es-MX`, `hi` for `hi-IN`. The variant's file holds only the different texts.
 * Undefined for a language, and for a variant in another script (`hi-Latn-IN`, `zh-Hant`): their files are complete.
 *
 * @param {string} locale
 * @returns {string | undefined}
 */
export function baseOf(locale) {
  const { language, script, region } = new Intl.Locale(locale);
  return region !== undefined && script === undefined ? language : undefined;
}

/**
 * All texts of a locale in the order of its base: one request loads all texts (HOST-8, UI-1).
 *
 * @param {string} locale
 * @param {ReadonlyMap<string, Record<string, string>>} dictionaries own texts by locale
 * @returns {Record<string, string>}
 * @throws when a variant has no file of its language
 */
export function textsOf(locale, dictionaries) {
  const own = dictionaries.get(locale) ?? {};
  const base = baseOf(locale);
  if (base === undefined) return own;
  const shared = dictionaries.get(base);
  if (shared === undefined) throw new Error(`locales/${locale}.json needs locales/${base}.json, which is not there.`);
  return { ...shared, ...own };
}
