/** Remembers which checks have passed with which files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf, sha256 } from '../machine/source-files.mjs';

/** Several branches are remembered, and the file stays small. The style of each file has a key. */
const mostKept = 50_000;

/**
 * @param {string} folder
 * @param {Map<string, string> | undefined} files hashes by path; undefined: nothing is remembered
 */
export function openPassed(folder, files) {
  const file = join(folder, 'passed.txt');
  const kept = new Set(files !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  return {
    /**
     * @param {string} name
     * @param {readonly string[]} command
     * @param {readonly string[] | ((path: string) => boolean)} [of] the files that the result depends on; undefined: all
     * @returns {string | undefined} undefined when nothing is remembered
     */
    keyOf(name, command, of = () => true) {
      if (files === undefined) return undefined;
      const paths = typeof of === 'function' ? [...files.keys()].filter(of) : of;
      // The lockfile stands for the programs.
      const surroundings = [name, ...command, process.version, process.platform, files.get('package-lock.json')];
      return sha256(`${surroundings.join('\0')}\0${hashOf(paths, files)}`);
    },
    has: (key) => key !== undefined && kept.has(key),
    /** Written at once, so that a run that is ended loses nothing. */
    add(...keys) {
      const known = keys.filter((key) => key !== undefined);
      if (known.length === 0) return;
      for (const key of known) {
        // The newest last.
        kept.delete(key);
        kept.add(key);
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, [...kept].slice(-mostKept).join('\n'));
    },
  };
}
