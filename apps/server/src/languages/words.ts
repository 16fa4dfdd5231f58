/** Translations of the catalogue: titles and descriptions of methods and groups, by their English text. */

/** Translations by English text, for each language. `{0} card` matches every text that ends in " card". */
export type WordFiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Translates an English text into a language; undefined without a translation. */
export type Words = (english: string, language: string) => string | undefined;

/**
 * Finds the translation of an English text of the catalogue. Undefined when there is none.
 *
 * An exact text (`Bank card`) wins over a pattern (`{0} card`), which keeps the name unchanged.
 * A variant (`es-MX`) uses the texts of its language. A variant in another script (`hi-Latn-IN`) does not, because its
 * readers could not read them.
 */
export function createWords(files: WordFiles): Words {
  const patterns = new Map(Object.entries(files).map(([language, words]) => [language, patternsOf(words)]));
  const find = (english: string, language: string): string | undefined => {
    const words = files[language];
    if (words && Object.hasOwn(words, english)) return words[english];
    for (const { before, after, text } of patterns.get(language) ?? []) {
      const isLonger = english.length > before.length + after.length;
      if (!isLonger || !english.startsWith(before) || !english.endsWith(after)) continue;
      // A function as the replacement, because a dollar sign in a name has a special meaning in a text.
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

/** The language whose texts a tag may fall back to. Undefined for a tag with its own script. */
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
