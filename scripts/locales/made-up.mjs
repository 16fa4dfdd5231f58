/** Two languages that do not ship, to find texts that do not fit. They are made when they are needed. */

import { longestPattern, mapPatterns } from '@opencashier/messages/icu';
import { compiledTextsOf } from './dictionaries.mjs';
import { pseudo } from './pseudo.mjs';

/** Their tags, from the range that ISO 639-2 reserves for local use. */
export const madeUpTags = { pseudo: 'qps', longest: 'qlo' };

/**
 * The pseudo-language, and the longest translation of every text.
 *
 * @param {ReadonlyMap<string, Record<string, string>>} dictionaries as `readDictionaries` answers them
 * @returns {Record<keyof typeof madeUpTags, import('@opencashier/messages/icu').CompiledTexts>}
 */
export function madeUpTexts(dictionaries) {
  const english = compiledTextsOf('en', dictionaries);
  const all = [...dictionaries.keys()].map((locale) => compiledTextsOf(locale, dictionaries));
  const lengthOf = (message) => longestPattern(message).length;
  const longestOf = (key) => all.map((texts) => texts[key] ?? '').reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a));
  const made = (text) => Object.fromEntries(Object.keys(english).map((key) => [key, text(key)]));
  return { pseudo: made((key) => mapPatterns(english[key], pseudo)), longest: made(longestOf) };
}
