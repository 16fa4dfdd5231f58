/** The languages in `locales/`: one file each, and small files for variants that differ in a few words. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTexts } from '@opencashier/messages/icu';
import { textsOf } from '@opencashier/messages/variants';

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
 * All texts of a locale as the widget interprets them.
 *
 * @param {string} locale
 * @param {ReadonlyMap<string, Record<string, string>>} dictionaries as `readDictionaries` answers them
 * @returns {import('@opencashier/messages/icu').CompiledTexts}
 * @throws as `textsOf`, and for a text that is no message
 */
export function compiledTextsOf(locale, dictionaries) {
  return compileTexts(locale, textsOf(locale, dictionaries));
}
