/** Translations of the server's texts. `words/en.json` names each English text, and the other files translate it under that name. */

/** For each language, texts by name. The English text `{0} card` stands for every title with a name before "card". */
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
 * Finds the translation of an English text; undefined when there is none. Texts come from catalogue files, and the catalogue of
 * an operator can use the same texts without knowing their names.
 *
 * An exact text (`Bank card`) goes before a pattern (`{0} card`), whose name stays as it is. A variant (`es-MX`) falls back to its
 * language. A variant in another script (`hi-Latn-IN`) does not, as its readers could not read the text.
 */
export function createWords(files: WordFiles): Words {
  const english = Object.entries(files['en'] ?? {});
  const names = new Map(english.map(([name, text]) => [text, name]));
  const patterns = patternsOf(english);
  const find = (text: string, language: string): string | undefined => {
    const words = files[language] ?? {};
    const exact = names.get(text);
    if (exact !== undefined && words[exact] !== undefined) return words[exact];
    for (const { name, before, after } of patterns) {
      const isLonger = text.length > before.length + after.length;
      if (!isLonger || !text.startsWith(before) || !text.endsWith(after)) continue;
      // The replacement is a function, since a name may contain a dollar sign.
      return words[name]?.replace('{0}', () => text.slice(before.length, text.length - after.length));
    }
    return undefined;
  };
  return (text, language) => {
    const own = find(text, language);
    const base = baseOf(language);
    return own ?? (base === undefined ? undefined : find(text, base));
  };
}

/** The entry of a language, or of the language whose texts its readers may see instead; undefined: there is none. */
export function entryOf<Entry>(byTag: Readonly<Record<string, Entry>>, language: string): Entry | undefined {
  return byTag[language] ?? byTag[baseOf(language) ?? language];
}

/** The language whose texts a tag may fall back to; undefined when the tag has a script of its own. */
export function baseOf(tag: string): string | undefined {
  const [language, second] = tag.split('-');
  return second?.length === 4 ? undefined : language;
}

function patternsOf(english: readonly (readonly [name: string, text: string])[]) {
  return (
    english
      .filter(([, text]) => text.includes('{0}'))
      // "{0} bank transfer" must match before "{0} transfer".
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, text]) => {
        const [before = '', after = ''] = text.split('{0}');
        return { name, before, after };
      })
  );
}
