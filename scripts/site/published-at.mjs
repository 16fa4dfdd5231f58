/** The address at which the documentation is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../machine/paths.mjs';

/**
 * SITE_URL, or the constant of the contract, to which error answers link.
 *
 * @returns {{ origin: string, path: string }} `path` has a slash at both ends
 */
export function publishedAt(environment = process.env) {
  const source = readFileSync(join(root, 'packages/contract/src/errors/documentation.ts'), 'utf8');
  const [, constant] = /documentationAddress = '([^']+)'/.exec(source) ?? [];
  const { origin, pathname } = new URL(environment['SITE_URL'] ?? constant);
  return { origin, path: pathname.endsWith('/') ? pathname : `${pathname}/` };
}
