/** The contents of the checkout as hashes, so that a check can know whether what it looks at has changed. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Every file that Git knows or would add. Files that .gitignore names are results, not sources.
 *
 * @returns {Promise<Map<string, string> | undefined>} hashes by path; undefined outside a checkout of Git
 */
export async function sourceFiles() {
  const { ok, output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  if (!ok) return undefined;
  const files = new Map();
  for (const path of [...new Set(output.split('\0'))].filter((name) => name !== '').sort()) {
    const content = contentOf(join(root, path));
    if (content !== undefined) files.set(path, sha256(content));
  }
  return files;
}

/** @returns {Promise<Set<string>>} paths that differ from the last commit, or are new */
export async function changedFiles() {
  const answers = await Promise.all([
    run('git', ['diff', '--name-only', '-z', 'HEAD']),
    run('git', ['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  return new Set(answers.flatMap(({ ok, output }) => (ok ? output.split('\0').filter((name) => name !== '') : [])));
}

/** Undefined for a file that is deleted but still in Git's index, and for a folder of another repository. */
function contentOf(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return readlinkSync(path);
  return found?.isFile() ? readFileSync(path) : undefined;
}

/** @param {string | Buffer} content */
export function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** One hash over names and contents of the given files; a name without a file counts as well. */
export function hashOf(paths, files) {
  return sha256(paths.map((path) => `${path}\0${files.get(path) ?? 'absent'}\n`).join(''));
}
