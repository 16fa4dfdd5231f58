/** The page after the provider's page, when the operator has no return address of its own. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../pages/content-security-policy.ts';
import { pageTexts, plainPage, plainPageStyle } from '../pages/plain-page.ts';

// A browser closes only a window that a script has opened. In any other window the text stays.
const script = 'window.close()';
const hash = createHash('sha256').update(script).digest('base64');

/** The full address, for providers. */
export function returnPageUrl(publicUrl: string, product: string): string {
  return `${publicUrl}/${product}/returned`;
}

/** The address carries the `locale` and `theme` of the widget that sent the person away. */
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
