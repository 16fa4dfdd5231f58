/** Shared by the generators: checks of names, and writing files without overwriting others. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../machine/paths.mjs';

const form = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const longest = 30;

/** A mistake in a command. The message says what to type instead. */
export class GeneratorError extends Error {}

/**
 * @param {string | undefined} name as it was typed
 * @param {string} what such as `flow`
 * @param {string} parent folder, below the root, in which the new one will lie
 * @throws {GeneratorError} when the name is not valid, or is taken
 */
export function checkName(name, what, parent) {
  if (name === undefined || !form.test(name) || name.length > longest) {
    throw new GeneratorError(
      `Give the ${what} a name of small letters, digits and hyphens, at most ${longest}: npm run new:${what} -- voucher`,
    );
  }
  if (readdirSync(join(root, parent)).includes(name)) throw new GeneratorError(`There is already ${parent}/${name}.`);
}

/** @param {Readonly<Record<string, string>>} files content by path below the root */
export function writeFiles(files) {
  for (const path of Object.keys(files)) {
    if (existsSync(join(root, path))) throw new GeneratorError(`There is a ${path}.`);
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`made     ${path}`);
  }
}

/** Adds lines after the one that holds `marker`, in the file at `path` below the root. */
export function addAfter(path, marker, lines) {
  insert(path, marker, lines, (text, at) => text.indexOf('\n', at) + 1);
}

/** Adds lines before the one that holds `marker`, in the file at `path` below the root. */
export function addBefore(path, marker, lines) {
  insert(path, marker, lines, (text, at) => text.lastIndexOf('\n', at) + 1);
}

/** @throws {GeneratorError} when the file no longer has the marker */
function insert(path, marker, lines, placeOf) {
  const text = readFileSync(join(root, path), 'utf8');
  const at = text.indexOf(marker);
  if (at === -1) throw new GeneratorError(`${path} no longer has the line "${marker}". Tell scripts/new where to add.`);
  const place = placeOf(text, at);
  writeFileSync(join(root, path), text.slice(0, place) + lines + text.slice(place));
  console.log(`changed  ${path}`);
}
