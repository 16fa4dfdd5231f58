/**
 * The captcha frame (ERR-5). Its header puts the page into an opaque origin, so that the vendor's scripts reach neither the
 * widget nor the storage of the cashier's origin. The protocol is contract/host/captcha-messages.ts.
 */
import { createHash } from 'node:crypto';
import { captchaFramePath } from '@opencashier/contract/host';
import type { FastifyPluginAsync } from 'fastify';
import type { Operators } from '../operators/operators.ts';
import { pageHeaders } from '../pages/content-security-policy.ts';
import { escapeHtml } from '../pages/plain-page.ts';
import frameScript from './frame-script.js?raw';

export interface CaptchaFrameOptions {
  readonly publicUrl: string;
  readonly operators: Pick<Operators, 'byPartnerKey'>;
  /** Whose script the frame loads. The cashier itself serves the stand-in. */
  readonly vendor: 'geetest' | 'stand-in';
}

export const standInPath = '/captcha/stand-in';
const geetestScript = 'https://static.geetest.com/v4/gt4.js';
/** geetest's script loads pictures, texts and further code from both domains. */
const geetestHosts = ['https://*.geetest.com', 'https://*.geevisit.com'];
const scriptHash = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;

export function captchaFrame({ publicUrl, operators, vendor }: CaptchaFrameOptions): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Querystring: Record<string, unknown> }>(captchaFramePath, async (request, reply) => {
      const { partner, scenario } = request.query;
      const operator = typeof partner === 'string' ? operators.byPartnerKey(partner) : undefined;
      const own = ownOrigin(publicUrl, request.protocol, request.headers.host);
      const isStandIn = vendor === 'stand-in';
      const sources = isStandIn ? [`${own}${standInPath}/`] : geetestHosts;
      const data = {
        'parent-origin': own,
        'script-url': isStandIn ? `${own}${standInPath}/gt4.js` : geetestScript,
        ...(isStandIn && { 'is-stand-in': 'true', scenario: typeof scenario === 'string' ? scenario : '' }),
      };
      return reply
        .headers(pageHeaders(publicUrl))
        .header('content-security-policy', policyOf(sources, ["'self'", own, ...(operator?.allowedOrigins ?? [])]))
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(pageOf(data));
    });
  };
}

/** The origin of the widget around this frame: the browser loaded the widget from the host that this request names. */
function ownOrigin(publicUrl: string, protocol: string, host: string | undefined): string {
  const { origin, host: publicHost } = new URL(publicUrl);
  if (host === undefined || host === publicHost || !URL.canParse(`${protocol}://${host}`)) return origin;
  return new URL(`${protocol}://${host}`).origin;
}

function policyOf(sources: readonly string[], ancestors: readonly string[]): string {
  const hosts = sources.join(' ');
  return [
    "default-src 'none'",
    // Without allow-same-origin the page has an opaque origin.
    'sandbox allow-scripts allow-popups',
    `script-src ${scriptHash} ${hosts}`,
    // The vendor's script writes inline styles.
    `style-src 'unsafe-inline' ${hosts}`,
    `img-src data: ${hosts}`,
    `font-src data: ${hosts}`,
    `connect-src ${hosts}`,
    `media-src ${hosts}`,
    `frame-ancestors ${[...new Set(ancestors)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join('; ');
}

function pageOf(data: Readonly<Record<string, string>>): string {
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Captcha</title>
<style>html{background:transparent}body{margin:0;min-block-size:100vh}</style>
<body${attributes}>
<script>${frameScript}</script>
</body>
</html>
`;
}
