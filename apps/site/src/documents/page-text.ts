/** What the site needs of a document beside its text: a title and one sentence about it. */

const withoutMarks = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<!--.*?-->|<(https?:[^>]+)>/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The first heading. @throws when a document has none */
export function titleOf(text: string, path: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} begins without a heading of the first level.`);
  return withoutMarks(title);
}

/** The first sentence of the first paragraph; empty when the document begins with a table or a list. */
export function descriptionOf(text: string): string {
  const paragraphs = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\n{2,}/)
    .map((part) => part.trim());
  const first = paragraphs.find((part) => part !== '' && !/^(?:#|\||[-*] |\d+\. |!\[|<|>)/.test(part));
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(withoutMarks(first ?? '')) ?? [];
  return sentence.replace(/:$/, '.');
}
