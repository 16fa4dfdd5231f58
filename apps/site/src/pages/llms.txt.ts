/** The index of the documentation for language models, by llmstxt.org. */
import { groupedPages, markdownAddress } from '../documents/pages.ts';
import { origin, place } from '../documents/settings.ts';

const summary =
  'OpenCashier is an open, self-hostable payment cashier: a widget in an iframe, its host SDK, and a server with a double-entry ledger on PostgreSQL. An operator embeds it, and signed-in users deposit and withdraw.';

export function GET(): Response {
  const sections = groupedPages().map(
    ({ label, pages }) =>
      `## ${label}\n\n${pages
        .map(
          ({ page, title, description }) =>
            `- [${title}](${markdownAddress(page)})${description && `: ${description}`}`,
        )
        .join('\n')}`,
  );
  const machine = [
    `- [OpenAPI](${origin}${place.base}reference/openapi.json): every HTTP call and webhook.`,
    `- [AsyncAPI](${origin}${place.base}reference/asyncapi.json): every call and push of the socket.`,
    `- [Schema in SQL](${origin}${place.base}reference/schema.sql): every table, index and check of the database.`,
  ];
  const text = ['# OpenCashier', `> ${summary}`, ...sections, `## For programs\n\n${machine.join('\n')}`].join('\n\n');
  return new Response(`${text}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
