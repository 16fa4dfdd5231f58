/**
 * Files that are named after a language, by that language: whoever adds one adds the file alone.
 * @param files by path, as a glob import gives them
 */
export function byLanguage<Words>(files: Readonly<Record<string, Words>>): Readonly<Record<string, Words>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.replace(/^.*\/(.+)\.json$/, '$1'), words]),
  );
}
