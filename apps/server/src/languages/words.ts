/** Translations of the server's texts, found by their English text. */

/** For each language, translations by their English text. `{0} card` matches every name before "card". */
export type WordFiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Files that are named after a language, by that language. A new language needs only its file.
 * @param files by path, as a glob import gives them
 */
export function byLanguage<Words>(files: Readonly<Record<string, Words>>): Readonly<Record<string, Words>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.replace(/^.*\/(.+)\.json$/, '$1'), words]),
  );
}

export type Words = (english: string, language: string) => string | undefined;

/**
 * Finds the translation of an English text; undefined when there is none.
 *
 * An exact text (`Bank card`) goes before a pattern (`{0} card`), whose name stays as it is. A variant (`es-MX`) falls back to its
 * language. A variant in another script (`hi-Latn-IN`) does not, as its readers could not read the text.
 */
export function createWords(files: WordFiles): Words {
  const patterns = new Map(Object.entries(files).map(([language, words]) => [language, patternsOf(words)]));
  const find = (english: string, language: string): string | undefined => {
    const words = files[language];
    if (words && Object.hasOwn(words, english)) return words[english];
    for (const { before, after, text } of patterns.get(language) ?? []) {
      const isLonger = english.length > before.length + after.length;
      if (!isLonger || !english.startsWith(before) || !english.endsWith(after)) continue;
      // The replacement is a function, since a name may contain a dollar sign.
      return text.replace('{0}', () => english.slice(before.length, english.length - after.length));
    }
    return undefined;
  };
  return (english, language) => {
    const own = find(english, language);
    const base = baseOf(language);
    return own ?? (base === undefined ? undefined : find(english, base));
  };
}

/** The language whose texts a tag may fall back to; undefined when the tag has a script of its own. */
export function baseOf(tag: string): string | undefined {
  const [language, second] = tag.split('-');
  return second?.length === 4 ? undefined : language;
}

function patternsOf(words: Readonly<Record<string, string>>) {
  return (
    Object.entries(words)
      .filter(([english]) => english.includes('{0}'))
      // "{0} bank transfer" must match before "{0} transfer".
      .sort(([a], [b]) => b.length - a.length)
      .map(([english, text]) => {
        const [before = '', after = ''] = english.split('{0}');
        return { before, after, text };
      })
  );
}
