/** All checks of one language's file. */
import { variantsOf } from '@opencashier/messages/icu';
import { originalOf } from '@opencashier/messages/placeholders';
import { checkCases, checkContents, checkKeys, checkSyntax } from './check-keys.mjs';
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
    if (unusable.has(key) || english[key] === undefined) continue;
    const [own, theirs] = [variantsOf(value), variantsOf(english[key])];
    found.push(...checkCases(locale, key, own, theirs));
    for (const variant of own) {
      const original = originalOf(variant, theirs);
      found.push(
        ...checkContents(locale, key, variant, original),
        ...checkWriting(locale, key, variant.text, original, words),
      );
    }
  }
  return [...found, ...checkDigits(readable({ ...base, ...texts }))];
}

/** The texts as they are read, one entry for each case. */
function readable(texts) {
  const entries = Object.entries(texts).filter(([key, value]) => checkSyntax(key, value).length === 0);
  return Object.fromEntries(
    entries.flatMap(([key, value]) =>
      variantsOf(value).map(({ text }, at) => [at === 0 ? key : `${key}, ${at}`, text]),
    ),
  );
}
