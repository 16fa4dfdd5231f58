/** Changes the links of a Markdown text, and leaves every other byte as it is. Code holds no links, so the syntax tree says what is one. */
import { fromMarkdown } from 'mdast-util-from-markdown';

/** The part of a Markdown tree that is read here. Offsets count from the start of the text. */
interface Node {
  readonly type: string;
  readonly url?: string | undefined;
  readonly value?: string | undefined;
  readonly children?: readonly Node[] | undefined;
  readonly position?:
    | { readonly start: { offset?: number | undefined }; readonly end: { offset?: number | undefined } }
    | undefined;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The links in HTML that a document contains, such as `<img src="…">`. */
export function rewriteHtmlLinks(html: string, rewrite: (link: string) => string): string {
  return html.replace(
    /(\s(?:src|href)=")([^"]+)"/g,
    (_all, start: string, link: string) => `${start}${rewrite(link)}"`,
  );
}

/** @throws when a link is written in a way that cannot be found in the text, such as with an escape */
export function rewriteLinks(text: string, rewrite: (link: string) => string): string {
  const changes: Change[] = [];
  const collect = (node: Node): void => {
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? text.length];
    if (node.type === 'html') changes.push({ start, end, text: rewriteHtmlLinks(text.slice(start, end), rewrite) });
    // `<https://…>` is absolute already.
    if (node.url !== undefined && text[start] !== '<') {
      const at = addressOf(node, node.url, text, start);
      changes.push({ start: at, end: at + node.url.length, text: rewrite(node.url) });
    }
    for (const child of node.children ?? []) collect(child);
  };
  collect(fromMarkdown(text) as Node);
  let result = text;
  // From the end, so that earlier offsets stay right.
  for (const change of changes.toSorted((one, other) => other.start - one.start)) {
    result = result.slice(0, change.start) + change.text + result.slice(change.end);
  }
  return result;
}

/** Where the address of a link, an image or a definition begins. */
function addressOf({ type, children }: Node, url: string, text: string, start: number): number {
  // The text of a link may hold an image, which has an address of its own.
  const from = children?.at(-1)?.position?.end.offset ?? start;
  const before = type === 'definition' ? /\]:\s*<?/g : /\]\(\s*<?/g;
  before.lastIndex = from;
  if (before.test(text) && text.startsWith(url, before.lastIndex)) return before.lastIndex;
  throw new Error(`The link ${url} cannot be found in the text.`);
}
