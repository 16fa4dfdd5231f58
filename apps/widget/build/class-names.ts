/** Class names of the build: four characters each, since every one of them is sent twice before the list can be used. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

const taken = new Map<string, string>();

/** The same name for the same class in every build; a clash, one in some hundred thousand, ends the build. */
export function className(name: string, file: string): string {
  const path = `${relative(process.cwd(), file).split('?')[0]}:${name}`;
  // A class must not begin with a digit or a hyphen.
  const short = `_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`;
  const other = taken.get(short);
  if (other !== undefined && other !== path) throw new Error(`${path} and ${other} would both be called ${short}.`);
  taken.set(short, path);
  return short;
}
