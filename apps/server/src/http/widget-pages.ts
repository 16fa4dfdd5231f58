/** The built widget under `/{product}/`: its files, and one page for every client route with the partner's own headers. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../dispatch/api-error.ts';
import type { Operator, Operators } from '../operators/operators.ts';
import {
  contentSecurityPolicy,
  type InlineHashes,
  inlineHashesOf,
  pageHeaders,
  reportingEndpoints,
} from '../pages/content-security-policy.ts';
import { cspReportPath } from './csp-reports.ts';

export interface WidgetPagesOptions {
  /** The build's folder, with `index.html`. */
  readonly folder: string;
  /** First segment of every address, such as `cashier`. */
  readonly product: string;
  readonly publicUrl: string;
  /** Whether the widget may show its console hooks (HOST-10). */
  readonly isDebugAllowed: boolean;
  readonly operators: Operators;
  /** Sites that the video guide may embed (DEP-13). */
  readonly videoOrigins?: readonly string[];
}

interface Page {
  readonly html: string;
  readonly hashes: InlineHashes;
  readonly changedAt: number;
}

type Encoding = 'br' | 'gzip' | 'identity';

interface PreparedPage {
  readonly page: Page;
  readonly operator: Operator | undefined;
  readonly policy: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

const bootPlace = '<!--boot-config-->';
/** Files whose name carries a hash of their content never change: all of `assets/`, and built languages. By place, since words look like hashes. */
const hashedName = /\/assets\/[^/]+$|\/static\/locales\/[^/]+\.[0-9a-f]{8}\.json$/;
/** A year, in seconds. */
const forever = 'public, max-age=31536000, immutable';
/** Drawings keep their names (NET-7). One that is older than a day is shown once more while a new one is fetched. */
const icon = /\/static\/icons\/[^/]+\.svg$/;
const aDay = 'public, max-age=86400, stale-while-revalidate=2592000';

export function registerWidgetPages(server: FastifyInstance, options: WidgetPagesOptions): void {
  const { folder, product, publicUrl, isDebugAllowed, operators, videoOrigins = [] } = options;
  const reportPath = cspReportPath(product);
  const headers = { ...pageHeaders(publicUrl), ...reportingEndpoints(reportPath, publicUrl) };
  let page: Page | undefined;

  const currentPage = (): Page | undefined => {
    const file = join(folder, 'index.html');
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    // Built again while the server runs, in development.
    if (page?.changedAt !== stats.mtimeMs) {
      const html = readFileSync(file, 'utf8');
      page = { html, hashes: inlineHashesOf(html), changedAt: stats.mtimeMs };
    }
    return page;
  };

  const prepare = (current: Page, operator: Operator | undefined, look: FirstLook): PreparedPage => {
    const allowedOrigins = operator?.allowedOrigins ?? [];
    const boot = {
      partner: operator?.partnerKey ?? '',
      allowedOrigins,
      debug: isDebugAllowed,
      ...(videoOrigins.length > 0 && { videoOrigins }),
    };
    const html = Buffer.from(withBootConfig(withFirstLook(current.html, look), boot));
    const policy = contentSecurityPolicy({
      hashes: current.hashes,
      frameAncestors: allowedOrigins,
      publicUrl,
      videoOrigins,
      reportPath,
    });
    return {
      page: current,
      operator,
      policy,
      bodies: { br: brotliCompressSync(html), gzip: gzipSync(html), identity: html },
    };
  };
  // One a partner and a look, made again when the build or what the operator has registered changes.
  const prepared = new Map<string, PreparedPage>();

  const sendPage = (partnerKey: string, look: FirstLook, acceptEncoding: string, reply: FastifyReply) => {
    const current = currentPage();
    if (!current) throw new ApiError('temporarily-unavailable', 'The widget has not been built.');
    const operator = operators.byPartnerKey(partnerKey);
    const key = `${look.theme} ${look.direction} ${operator?.partnerKey ?? ''}`;
    let ready = prepared.get(key);
    if (!ready || ready.page !== current || ready.operator !== operator) {
      ready = prepare(current, operator, look);
      prepared.set(key, ready);
    }
    const encoding = encodingOf(acceptEncoding);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .headers(headers)
      .header('content-security-policy', ready.policy)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .type('text/html; charset=utf-8')
      .send(ready.bodies[encoding]);
  };

  void server.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      prefix: `/${product}/`,
      serve: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.setHeader('cache-control', cacheControlOf(withoutEncoding(path).replaceAll('\\', '/')));
        reply.setHeader('x-content-type-options', 'nosniff');
      },
    });

    scope.get<{ Querystring: Record<string, unknown> }>(`/${product}`, (request, reply) => {
      const query = request.url.split('?')[1];
      return reply.redirect(`/${product}/${query === undefined ? '' : `?${query}`}`, 302);
    });
    scope.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(`/${product}/*`, (request, reply) => {
      const path = request.params['*'];
      const lastSegment = path.slice(path.lastIndexOf('/') + 1);
      // A missing script must be a 404: answered with a page it would fail in a way nobody understands.
      if (lastSegment.includes('.') && lastSegment !== 'index.html') return reply.sendFile(path);
      const { partner } = request.query;
      const accepted = request.headers['accept-encoding'];
      return sendPage(
        typeof partner === 'string' ? partner : '',
        firstLookOf(request.query),
        typeof accepted === 'string' ? accepted : '',
        reply,
      );
    });
  });
}

/** What of the look is in the address, and so can be shown before any script has run. */
export interface FirstLook {
  readonly theme: 'light' | 'dark' | 'auto';
  readonly direction: 'ltr' | 'rtl';
}

export function firstLookOf({ theme, locale }: Readonly<Record<string, unknown>>): FirstLook {
  return {
    theme: theme === 'dark' || theme === 'auto' ? theme : 'light',
    direction: typeof locale === 'string' && /^(?:ar|ur)(?:[-_]|$)/i.test(locale) ? 'rtl' : 'ltr',
  };
}

/** What stands there until the widget does has the theme of what is to come, and begins at the same side. */
export function withFirstLook(html: string, { theme, direction }: FirstLook): string {
  return html.replace(/<html\b[^>]*>/, (tag) =>
    tag.replace(/\bdata-theme="\w*"/, `data-theme="${theme}"`).replace(/\bdir="\w*"/, `dir="${direction}"`),
  );
}

/** Every browser says brotli over TLS; over plain http some say gzip only. */
function encodingOf(acceptEncoding: string): Encoding {
  if (/\bbr\b/.test(acceptEncoding)) return 'br';
  return /\bgzip\b/.test(acceptEncoding) ? 'gzip' : 'identity';
}

/** `/folder/main-abc.js.br` is a form of `main-abc.js`. */
function withoutEncoding(path: string): string {
  return path.replace(/\.(?:br|gz)$/, '');
}

/** Puts the settings into the page as data that no HTML parser can leave: `<`, `>` and `&` are written as escapes. */
export function withBootConfig(html: string, boot: object): string {
  const json = JSON.stringify(boot).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const script = `<script type="application/json" id="boot-config">${json}</script>`;
  // As functions: `$&` in a setting is no instruction to `replace`.
  if (html.includes(bootPlace)) return html.replace(bootPlace, () => script);
  return html.replace('</head>', () => `${script}</head>`);
}

function cacheControlOf(path: string): string {
  if (hashedName.test(path)) return forever;
  return icon.test(path) ? aDay : 'no-cache';
}
