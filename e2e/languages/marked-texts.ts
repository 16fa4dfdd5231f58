/**
 * All languages on one page, without loading it again for each: the widget gets texts that name their own keys, and these
 * marks are then filled with one language after the other.
 */
import { fileURLToPath } from 'node:url';
import { readDictionaries, textsOf } from '../../scripts/locales/dictionaries.mjs';
import { madeUpTexts } from '../../scripts/locales/made-up.mjs';

export type Dictionary = Readonly<Record<string, string>>;

const dictionaries = readDictionaries(fileURLToPath(new URL('../../locales/', import.meta.url)));
export const english: Dictionary = textsOf('en', dictionaries);

/** English whose every text is its key with what the screen fills in: `⟦list.from¦amount=₹300⟧`. */
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

/** Every language that ships, and two that do not: the pseudo-language, and of every text the longest that there is. */
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
