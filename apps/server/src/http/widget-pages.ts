/** The built widget under `/{product}/`: its files, and one page for every client route with the partner's own headers. */
import { posix } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { ApiError } from '../dispatch/api-error.ts';
import type { Operator, Operators } from '../operators/operators.ts';
import type { OwnPageTexts, ServedTexts } from '../own-texts/served-texts.ts';
import { pageHeaders, reportingEndpoints } from '../pages/content-security-policy.ts';
import { readFirstListAddress } from '../pages/first-list-address.ts';
import { createFirstListDrawer } from '../pages/first-list-renderer.ts';
import { encodingOf } from './compressed.ts';
import { cspReportPath } from './csp-reports.ts';
import { createDrawnPages, type DrawnPagesOptions } from './drawn-pages.ts';
import { registerOwnTextsFiles } from './own-texts-files.ts';
import {
  type BuiltPage,
  type FirstLook,
  firstLookOf,
  isMadeOf,
  type PageSettings,
  type PreparedPage,
  preparePage,
  readBuiltPage,
} from './widget-page.ts';

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
  readonly catalogue: DrawnPagesOptions['catalogue'] & Pick<Catalogue, 'ownIcon'>;
  /** Operators' own texts. Absent: no operator has its own. */
  readonly texts?: ServedTexts | undefined;
  readonly limiter: DrawnPagesOptions['limiter'];
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Files whose name has a hash of their content never change: all of `assets/`, and built languages. The folder decides, since a
 * word of a name can look like a hash.
 */
const hashedName = /\/assets\/[^/]+$|\/static\/locales\/[^/]+\.[0-9a-f]{8}\.json$/;
/** A year, in seconds. */
const forever = 'public, max-age=31536000, immutable';
/** Icons keep their names (NET-7). After a day a browser shows the old icon once more, and fetches it again meanwhile. */
const icon = /\/static\/icons\/[^/]+\.svg$/;
/** As `ownIconId` of the catalogue names them. */
const ownIconForm = /^static\/icons\/(own-[0-9a-f]{24})\.svg$/;
const aDay = 'public, max-age=86400, stale-while-revalidate=2592000';

export function registerWidgetPages(server: FastifyInstance, options: WidgetPagesOptions): void {
  const { folder, product, publicUrl, isDebugAllowed, videoOrigins = [] } = options;
  const reportPath = cspReportPath(product);
  const headers = { ...pageHeaders(publicUrl), ...reportingEndpoints(reportPath, publicUrl) };
  const pages = createPages(options, { publicUrl, isDebugAllowed, videoOrigins, reportPath });

  void server.register(async (scope) => {
    await registerFiles(scope, folder, product);
    const { texts, operators, limiter } = options;
    if (texts) registerOwnTextsFiles(scope, { folder, product, operators, texts, limiter, forever });

    scope.get<{ Querystring: Record<string, unknown> }>(`/${product}`, (request, reply) => {
      const query = request.url.split('?')[1];
      return reply.redirect(`/${product}/${query === undefined ? '' : `?${query}`}`, 302);
    });
    scope.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
      `/${product}/*`,
      async (request, reply) => {
        const path = request.params['*'];
        const lastSegment = path.slice(path.lastIndexOf('/') + 1);
        const ownIcon = ownIconForm.exec(path)?.[1];
        if (ownIcon !== undefined) return sendIcon(reply, options.catalogue.ownIcon(ownIcon));
        if (isForServer(path)) throw new ApiError('not-found', 'File not found.');
        // A missing script must be a 404. Answered with the page, it would fail with a syntax error that misleads.
        if (lastSegment.includes('.') && lastSegment !== 'index.html') return reply.sendFile(path);
        return sendPage(request, reply.headers(headers), await pages.find(path, request.query, request.ip));
      },
    );
  });
}

/**
 * The page of an address: with the first list if the address tells enough, else one for each partner and look. A page is made
 * again when the build, the operator's settings, its own texts or its catalogue change.
 */
function createPages(options: WidgetPagesOptions, settings: PageSettings) {
  const { folder, operators, catalogue, texts: served, limiter, logger } = options;
  const prepared = new Map<string, PreparedPage>();
  const drawn = createDrawnPages({
    catalogue,
    limiter,
    settings,
    drawer: createFirstListDrawer(folder),
    onFailure: (error) => logger.error({ err: error }, 'The first list could not be drawn.'),
  });
  let builtPage: BuiltPage | undefined;

  const plainPage = (
    made: { builtPage: BuiltPage; operator: Operator | undefined; texts: OwnPageTexts | undefined },
    look: FirstLook,
  ): PreparedPage => {
    const { builtPage: page, operator, texts } = made;
    const key = `${look.theme} ${look.direction} ${operator?.partnerKey ?? ''}`;
    const known = prepared.get(key);
    if (known && isMadeOf(known, made)) return known;
    const fresh = preparePage(page, operator, look, settings, { texts });
    prepared.set(key, fresh);
    return fresh;
  };

  return {
    /** @throws ApiError when the widget has not been built */
    async find(path: string, query: Readonly<Record<string, unknown>>, caller: string): Promise<PreparedPage> {
      builtPage = readBuiltPage(folder, builtPage);
      if (!builtPage)
        throw new ApiError(
          'temporarily-unavailable',
          'The widget has not been built. Run `npm run build`, or set WIDGET_DIR.',
        );
      const { partner } = query;
      const operator = operators.byPartnerKey(typeof partner === 'string' ? partner : '');
      const look = firstLookOf(query);
      const address = operator && readFirstListAddress(path, query);
      const texts = operator && served?.ofPage(operator);
      const page = operator && address && (await drawn.find({ builtPage, operator, look, address, texts, caller }));
      return page ?? plainPage({ builtPage, operator, texts }, look);
    },
  };
}

async function registerFiles(scope: FastifyInstance, folder: string, product: string): Promise<void> {
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
}

/**
 * An operator's own icon. Its name is made of the content, so it never changes. The policy holds where somebody opens the drawing as a
 * page of its own.
 * @throws ApiError when no operator has the icon
 */
function sendIcon(reply: FastifyReply, svg: string | undefined): FastifyReply {
  if (svg === undefined) throw new ApiError('not-found', 'File not found.');
  return reply
    .header('cache-control', forever)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .type('image/svg+xml')
    .send(svg);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: PreparedPage): FastifyReply {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
  const encoding = encodingOf(accepted);
  const tag = `"${page.tag}-${encoding}"`;
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', tag);
  if (known === tag) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type('text/html; charset=utf-8').send(page.bodyIn(encoding));
}

/**
 * The build's folder `server/` draws the list and is no file for browsers. The path is compared as it is read from disk: `//server`
 * and `static/../server` name the same folder, and so does `Server` on some disks.
 */
function isForServer(path: string): boolean {
  return /^\/server\//i.test(posix.normalize(`/${path.replaceAll('\\', '/')}`));
}

/** `/folder/main-abc.js.br` is a compressed form of `main-abc.js`. */
function withoutEncoding(path: string): string {
  return path.replace(/\.(?:br|gz)$/, '');
}

function cacheControlOf(path: string): string {
  if (hashedName.test(path)) return forever;
  return icon.test(path) ? aDay : 'no-cache';
}
