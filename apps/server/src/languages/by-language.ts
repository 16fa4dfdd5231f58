/**
 * Indexes files by the language in their name, so that a new language needs only a new file.
 * @param files by path, as a glob import returns them
 */
export function byLanguage<Words>(files: Readonly<Record<string, Words>>): Readonly<Record<string, Words>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.replace(/^.*\/(.+)\.json$/, '$1'), words]),
  );
}
