/** The address at which the documentation is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../machine/paths.mjs';

/**
 * SITE_URL, or the constant of the contract, to which error answers link.
 *
 * @throws for a SITE_URL that is no address of a site
 * @returns {{ origin: string, path: string }} `path` has a slash at both ends
 */
export function publishedAt(environment = process.env) {
  const source = readFileSync(join(root, 'packages/contract/src/errors/documentation.ts'), 'utf8');
  const [, constant] = /documentationAddress = '([^']+)'/.exec(source) ?? [];
  // An empty variable is one that nobody has set: workflows make such.
  const given = environment['SITE_URL'] || constant;
  const address = URL.canParse(given) ? new URL(given) : undefined;
  if (!/^https?:$/.test(address?.protocol ?? '') || address.search !== '' || address.hash !== '') {
    throw new Error(`SITE_URL must be an address such as https://docs.example.com/cashier/, not ${given}`);
  }
  const { origin, pathname } = address;
  return { origin, path: pathname.endsWith('/') ? pathname : `${pathname}/` };
}
