/** Where a person lands after the provider's page when the operator has named no address of its own. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './content-security-policy.ts';

const script = 'window.close()';
const hash = createHash('sha256').update(script).digest('base64');
// A browser closes only windows that a script has opened; in any other the words stay.
const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Back to the cashier</title>
<h1>You can close this window</h1>
<p>The cashier shows how your payment goes on.</p>
<script>${script}</script>
</html>
`;

/** Its path below the product, and the address as a provider needs it. */
export function returnPageUrl(publicUrl: string, product: string): string {
  return `${publicUrl}/${product}/returned`;
}

export function registerReturnPage(server: FastifyInstance, publicUrl: string, product: string): void {
  server.get(`/${product}/returned`, async (_request, reply) =>
    reply
      .headers(pageHeaders(publicUrl))
      .header(
        'content-security-policy',
        `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
      )
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
