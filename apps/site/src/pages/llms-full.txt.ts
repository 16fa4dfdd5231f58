/** All documents in one text for language models. */
import { groupedPages, markdownAddress } from '../documents/pages.ts';

export function GET(): Response {
  const parts = groupedPages()
    .flatMap(({ pages }) => pages)
    .map(({ page, text }) => `<!-- ${markdownAddress(page)} -->\n\n${text.trim()}`);
  return new Response(`${parts.join('\n\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
