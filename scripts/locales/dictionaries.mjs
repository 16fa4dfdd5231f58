/** The languages in `locales/`: one file each, and small files for variants that differ in a few words. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTexts } from './messages.mjs';

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
 * Every file of the folder by its locale, with its own texts.
 *
 * @param {string} folder
 * @returns {Map<string, Record<string, string>>}
 */
export function readDictionaries(folder) {
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/**
 * All texts of a locale in the order of its base: one request loads all texts (HOST-8, UI-1).
 *
 * @param {string} locale
 * @param {ReadonlyMap<string, Record<string, string>>} dictionaries as `readDictionaries` answers them
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

/**
 * All texts of a locale as the widget interprets them.
 *
 * @param {string} locale
 * @param {ReadonlyMap<string, Record<string, string>>} dictionaries as `readDictionaries` answers them
 * @returns {import('./messages.mjs').CompiledTexts}
 * @throws as `textsOf`, and for a text that is no message
 */
export function compiledTextsOf(locale, dictionaries) {
  return compileTexts(locale, textsOf(locale, dictionaries));
}
