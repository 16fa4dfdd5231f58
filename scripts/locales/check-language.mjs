/** Everything that is checked of one language's file. */
import { checkContents, checkKeys, originalOf } from './check-keys.mjs';
import { checkDigits, checkWriting } from './check-writing.mjs';

/**
 * @param {string} locale
 * @param {Record<string, string>} texts the file's own: of a variant, what differs from its language
 * @param {Record<string, string>} english
 * @param {Record<string, string>} [shared] the texts of a variant's language
 * @returns {import('./check-keys.mjs').Finding[]}
 */
export function checkLanguage(locale, texts, english, shared) {
  const found = checkKeys(locale, texts, english, shared);
  const unusable = new Set(found.map(({ key }) => key));
  for (const [key, value] of Object.entries(texts)) {
    const original = originalOf(key, english);
    if (unusable.has(key) || original === undefined) continue;
    found.push(...checkContents(locale, key, value, original), ...checkWriting(locale, key, value, original));
  }
  return [...found, ...checkDigits({ ...shared, ...texts })];
}
