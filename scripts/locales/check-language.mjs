/** All checks of one language's file. */
import { checkContents, checkKeys, originalOf } from './check-keys.mjs';
import { checkDigits, checkWriting } from './check-writing.mjs';

/**
 * @param {string} locale
 * @param {Record<string, string>} texts the file's own texts; a variant has only the different texts
 * @param {Record<string, string>} english
 * @param {{ base?: Record<string, string> | undefined, words?: ReadonlySet<string> }} [more] the texts of a variant's
 *   language, and the words that are written as in English (`sharedWords`)
 * @returns {import('./check-keys.mjs').Finding[]}
 */
export function checkLanguage(locale, texts, english, { base, words = new Set() } = {}) {
  const found = checkKeys(locale, texts, english, base);
  const unusable = new Set(found.map(({ key }) => key));
  for (const [key, value] of Object.entries(texts)) {
    const original = originalOf(key, english);
    if (unusable.has(key) || original === undefined) continue;
    found.push(...checkContents(locale, key, value, original), ...checkWriting(locale, key, value, original, words));
  }
  return [...found, ...checkDigits({ ...base, ...texts })];
}
