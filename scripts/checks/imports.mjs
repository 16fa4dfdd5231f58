/** What a file imports, by its text alone, and every file that it reaches. Needs no package, so that npm can be missing. */

/** Statements at the start of a line, and calls of `import()`. Quotes elsewhere may speak of an import, as a pattern does. */
const imported = /^(?:import|export)\s(?:[^;'"]*?\sfrom\s)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/gm;

/**
 * @param {string} text of a module
 * @returns {{ name: string, isDynamic: boolean }[]} names as they are written; `isDynamic`: only when the program gets there
 */
export function importsOf(text) {
  return [...text.matchAll(imported)].map(([, first, later]) => ({
    name: first ?? later,
    isDynamic: first === undefined,
  }));
}

/**
 * Every file that some files reach.
 *
 * @template {string} Path
 * @param {Iterable<Path>} starts
 * @param {(path: Path) => Iterable<Path> | undefined} next the files that a file names; undefined: nobody can know
 * @returns {Set<Path> | undefined} undefined as soon as `next` is
 */
export function reachedFrom(starts, next) {
  const reached = new Set(starts);
  // A Set grows while it is walked.
  for (const path of reached) {
    const found = next(path);
    if (found === undefined) return undefined;
    for (const each of found) reached.add(each);
  }
  return reached;
}
