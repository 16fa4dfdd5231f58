/** Every page of the site with its Markdown, for readers that are programs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPage } from './first-page.ts';
import { foldersWithFirstPage } from './markdown.ts';
import { descriptionOf, titleOf } from './page-text.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { pageOf, siteLink } from './routes.ts';
import { origin, place } from './settings.ts';
import { groups } from './sidebar.ts';

/** The working folder of Astro is apps/site. */
const root = join(process.cwd(), '../..');

export interface DocumentPage {
  readonly page: string;
  readonly title: string;
  readonly description: string;
  /** The Markdown, with absolute links. */
  readonly text: string;
}

/** All documents that the site shows, in the order of their paths. */
export function documentPages(): DocumentPage[] {
  const folders = foldersWithFirstPage(root);
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('glossaries'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, 'docs', path), 'utf8');
      const absolute = (link: string): string => new URL(siteLink(link, `docs/${path}`, place, folders), origin).href;
      const page = pageOf(path);
      return {
        page,
        title: page === 'index' ? 'Find a document' : titleOf(text, path),
        description: page === 'index' ? firstPage.description : descriptionOf(text),
        text: rewriteLinks(text, (link) => (link.startsWith('#') ? link : absolute(link))),
      };
    });
}

/** Where a page's Markdown is served. */
export const markdownAddress = (page: string): string => `${origin}${place.base}${page}.md`;

/** The pages in the order of the sidebar, by group. */
export function groupedPages(): { label: string; pages: DocumentPage[] }[] {
  const all = documentPages();
  return groups.map(({ label, pages = [], folder }) => ({
    label,
    pages:
      folder === undefined
        ? pages.flatMap((name) => all.filter(({ page }) => page === name))
        : [...all.filter(({ page }) => page === folder), ...all.filter(({ page }) => page.startsWith(`${folder}/`))],
  }));
}
