/** Where a person lands after the provider's page when the operator has named no address of its own. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../pages/content-security-policy.ts';
import { pageTexts, plainPage, plainPageStyle } from '../pages/plain-page.ts';

// A browser closes only windows that a script has opened; in any other the words stay.
const script = 'window.close()';
const hash = createHash('sha256').update(script).digest('base64');

/** Its path below the product, and the address as a provider needs it. */
export function returnPageUrl(publicUrl: string, product: string): string {
  return `${publicUrl}/${product}/returned`;
}

/** `locale` and `theme` of the address are those of the widget that sent the person away. */
export function registerReturnPage(server: FastifyInstance, publicUrl: string, product: string): void {
  server.get<{ Querystring: Record<string, unknown> }>(`/${product}/returned`, async (request, reply) => {
    const { locale, theme } = request.query;
    const texts = pageTexts(locale ?? request.headers['accept-language']);
    const html = plainPage({
      texts,
      title: texts.returnedTitle,
      text: texts.returnedText,
      theme: theme === 'dark' || theme === 'light' ? theme : undefined,
      content: `<script>${script}</script>`,
    });
    return reply
      .headers(pageHeaders(publicUrl))
      .header(
        'content-security-policy',
        `default-src 'none'; script-src 'sha256-${hash}'; style-src ${plainPageStyle}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      )
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  });
}
