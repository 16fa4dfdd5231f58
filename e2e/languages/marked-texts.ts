/**
 * All languages on one page, without loading it again for each. The widget gets marks instead of texts, which name their keys. The
 * marks are then replaced by the texts of each language.
 */
import { fileURLToPath } from 'node:url';
import { type CompiledTexts, longestPattern, type Message, mapPatterns } from '@opencashier/messages/icu';
import { compiledTextsOf, readDictionaries } from '../../scripts/locales/dictionaries.mjs';
import { madeUpTexts } from '../../scripts/locales/made-up.mjs';

export type Dictionary = Readonly<Record<string, string>>;

const dictionaries = readDictionaries(fileURLToPath(new URL('../../locales/', import.meta.url)));
const source = compiledTextsOf('en', dictionaries);
const english = longest(source);

/** An English file whose texts are marks: the key, and the values of the screen: `⟦list.from¦amount=₹300⟧`. */
export const marked: Dictionary = Object.fromEntries(
  Object.entries(source).map(([key, message]) => [
    key,
    `⟦${[key, ...namesOf(message).map((name) => `${name}={${name}}`)].join('¦')}⟧`,
  ]),
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
    const texts = { ...english, ...longest(compiledTextsOf(name, dictionaries)) };
    return { name, direction: isRightToLeft(name) ? 'rtl' : 'ltr', texts };
  });
  const made = madeUpTexts(dictionaries);
  return [
    ...real,
    { name: 'pseudo', direction: 'ltr', texts: longest(made.pseudo) },
    { name: 'longest', direction: 'ltr', texts: longest(made.longest) },
  ];
}

/** The names of the values that a message fills in, each once. */
function namesOf(message: Message): string[] {
  const names = new Set<string>();
  mapPatterns(message, (pattern) => {
    for (const [, name = ''] of pattern.matchAll(/\{(\w+)\}/g)) names.add(name);
    return pattern;
  });
  return [...names];
}

/** Of a message with several forms, the longest: it is the one that may not fit. */
function longest(texts: CompiledTexts): Dictionary {
  return Object.fromEntries(Object.entries(texts).map(([key, message]) => [key, longestPattern(message)]));
}
