/**
 * All languages on one page, without loading it again for each. The widget gets marks instead of texts, which name their keys. The
 * marks are then replaced by the texts of each language.
 */
import { fileURLToPath } from 'node:url';
import { readDictionaries, textsOf } from '../../scripts/locales/dictionaries.mjs';
import { madeUpTexts } from '../../scripts/locales/made-up.mjs';

export type Dictionary = Readonly<Record<string, string>>;

const dictionaries = readDictionaries(fileURLToPath(new URL('../../locales/', import.meta.url)));
export const english: Dictionary = textsOf('en', dictionaries);

/** An English file whose texts are marks: the key, and the values of the screen: `⟦list.from¦amount=₹300⟧`. */
export const marked: Dictionary = Object.fromEntries(
  Object.entries(english).map(([key, text]) => {
    const names = [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
    return [key, `⟦${[key, ...names.map((name) => `${name}={${name}}`)].join('¦')}⟧`];
  }),
);

export interface Language {
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Dictionary;
}

const isRightToLeft = (locale: string): boolean => ['ar', 'ur'].includes(locale);

/** Every language of the product, and two made-up ones: the pseudo-language, and the longest translation of every text. */
export function allLanguages(): Language[] {
  const real = [...dictionaries.keys()].map((name): Language => {
    const texts = { ...english, ...textsOf(name, dictionaries) };
    return { name, direction: isRightToLeft(name) ? 'rtl' : 'ltr', texts };
  });
  const { pseudo, longest } = madeUpTexts(dictionaries);
  return [
    ...real,
    { name: 'pseudo', direction: 'ltr', texts: pseudo },
    { name: 'longest', direction: 'ltr', texts: longest },
  ];
}
