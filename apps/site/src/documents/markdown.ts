/** Plugins for the Markdown of docs/: links become routes, the page's title is not shown twice, and the diagram is drawn. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { titleOf } from './page-text.ts';
import { rewriteHtmlLinks } from './rewrite-links.ts';
import { type Place, siteLink } from './routes.ts';
import { schemaCards } from './schema-diagram.ts';

/** The part of a Markdown tree that the plugins read. */
interface Node {
  type: string;
  depth?: number | undefined;
  url?: string | undefined;
  lang?: string | null | undefined;
  value?: string | undefined;
  children?: Node[] | undefined;
}

/** The folders of docs/ with a first page, from the root of the repository. */
export function foldersWithFirstPage(root: string): Set<string> {
  const folders = readdirSync(join(root, 'docs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, 'docs', entry.name, 'README.md')))
    .map(({ name }) => `docs/${name}`);
  return new Set(folders);
}

/** @param root the root of the repository */
export function documentLinks(root: string, place: Place) {
  const folders = foldersWithFirstPage(root);
  return () => (tree: Node, file: { path?: string | undefined }) => {
    const from = relative(root, file.path ?? '')
      .split(sep)
      .join('/');
    if (!from.startsWith('docs/')) return;
    visit(tree, (node) => {
      if (node.type === 'html') {
        node.value = rewriteHtmlLinks(node.value ?? '', (link) => siteLink(link, from, place, folders));
      }
      nameByTitle(node, root, from);
      if (node.url === undefined || (node.type !== 'link' && node.type !== 'definition')) return;
      node.url = siteLink(node.url, from, place, folders);
    });
  };
}

/** A link that is called after a file, such as `operate.md`, gets the name that the page has on the site. */
function nameByTitle({ type, url = '', children = [] }: Node, root: string, from: string): void {
  const [text, ...others] = children;
  if (type !== 'link' || others.length > 0 || text?.value === undefined || !/^[\w/.-]+\.md$/.test(text.value)) return;
  const [file = ''] = url.split('#');
  const path = join(root, dirname(from), file);
  if (path.endsWith('.md') && existsSync(path)) {
    text.type = 'text';
    text.value = titleOf(readFileSync(path, 'utf8'), path);
  }
}

/** Starlight shows the title itself. */
export function withoutTitle() {
  return (tree: Node) => {
    const title = tree.children?.findIndex(({ type, depth }) => type === 'heading' && depth === 1) ?? -1;
    if (title >= 0) tree.children?.splice(title, 1);
  };
}

/** Diagrams that this site can draw without a script. */
export function diagrams() {
  return (tree: Node) =>
    visit(tree, (node) => {
      const cards = node.type === 'code' && node.lang === 'mermaid' ? schemaCards(node.value ?? '') : undefined;
      if (cards === undefined) return;
      node.type = 'html';
      node.value = cards;
    });
}

function visit(node: Node, action: (node: Node) => void): void {
  action(node);
  for (const child of node.children ?? []) visit(child, action);
}
