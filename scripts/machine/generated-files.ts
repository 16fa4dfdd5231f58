/** Files that a program of this folder generates and that are kept in the repository. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

/** The text of a file of the repository. */
export function source(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/**
 * Writes the files that are stale. With `--check` it writes nothing, names them, and the program ends with code 1.
 *
 * @param files contents by their path in the repository
 * @param command what generates them, such as `npm run docs`
 */
export function writeOrCheck(files: Readonly<Record<string, string>>, command: string): void {
  const stale = Object.entries(files).filter(
    ([path, content]) => !existsSync(join(root, path)) || source(path) !== content,
  );
  if (process.argv.includes('--check')) {
    for (const [path] of stale) console.error(`${path} is stale: run \`${command}\`.`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  console.log(stale.length === 0 ? 'Everything is up to date.' : `Wrote ${stale.map(([path]) => path).join(', ')}.`);
}
