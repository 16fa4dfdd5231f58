/** Which route of the site shows which file of docs/. */
import { posix } from 'node:path';
import { sourceAddress } from './repository.ts';

/** Where the site is built for. */
export interface Place {
  /** The first part of every route, with a slash at both ends: `/`, `/0.1/`. */
  readonly base: string;
  /** The branch or tag that links to sources name. */
  readonly revision: string;
}

/**
 * The id of a page.
 *
 * @param path from docs/, such as `runbooks/README.md`
 * @returns `index`, `runbooks`, `runbooks/nodedown` …
 */
export function pageOf(path: string): string {
  const folder = posix.dirname(path);
  const isFirst = posix.basename(path) === 'README.md';
  if (isFirst) return folder === '.' ? 'index' : folder.toLowerCase();
  return path.replace(/\.md$/, '').toLowerCase();
}

/** The route of a page: `/`, `/runbooks/`. */
export function routeOf(page: string, base: string): string {
  return page === 'index' ? base : `${base}${page}/`;
}

/**
 * Rewrites a link of a document for the site. Pages become routes, other files of docs/ keep their path, and files elsewhere are
 * shown by the code host.
 *
 * @param link as the Markdown has it, such as `../runbooks/README.md#alerts`
 * @param from the document that holds it, from the root of the repository: `docs/adr/0003-money.md`
 * @param folders names every folder of docs/ that has a README.md, from the root of the repository
 */
export function siteLink(link: string, from: string, { base, revision }: Place, folders: ReadonlySet<string>): string {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(link) || link.startsWith('#')) return link;
  const [file = '', heading] = link.split('#');
  const path = posix.join(posix.dirname(from), file).replace(/\/$/, '');
  const anchor = heading === undefined ? '' : `#${heading}`;
  if (path === 'docs') return base + anchor;
  if (!path.startsWith('docs/')) return sourceAddress(path, revision) + anchor;
  const inside = path.slice('docs/'.length);
  if (inside.endsWith('.md')) return routeOf(pageOf(inside), base) + anchor;
  if (folders.has(path)) return routeOf(inside.toLowerCase(), base) + anchor;
  return posix.extname(inside) === '' ? sourceAddress(path, revision) : base + inside;
}
