/**
 * Reports of browsers about the widget's Content-Security-Policy (SRV-9): `POST /{product}/csp-report`, in the form of the
 * Reporting API or of `report-uri`. Anybody can send anything here, so the server keeps little: the directive, and the blocked
 * origin without path or query. It notes neither the page nor the person.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import * as v from 'valibot';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { isOwnOrigin } from './origin-check.ts';
import { publicReports } from './public-reports.ts';

export interface CspReportsOptions {
  readonly product: string;
  readonly publicUrl: string;
  readonly metrics: Pick<Metrics, 'policyViolated'>;
  readonly limiter: Pick<RateLimiter, 'take'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: Clock;
}

/** Requests of one address in a minute. */
export const reportsPerMinute = 30;
/** Reports in one request. A page breaks its policy in few ways. */
const mostReports = 20;
const hourMs = 3_600_000;
/** Different log lines in an hour, so that strangers cannot fill the log. */
export const mostLinesPerHour = 100;

const textSchema = v.pipe(v.string(), v.maxLength(4096));

/** https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const reportUriSchema = v.pipe(
  v.object({
    'csp-report': v.object({
      'document-uri': textSchema,
      'effective-directive': v.optional(textSchema),
      'violated-directive': v.optional(textSchema),
      'blocked-uri': v.optional(textSchema, ''),
    }),
  }),
  v.transform(({ 'csp-report': report }) => [
    {
      page: report['document-uri'],
      directive: report['effective-directive'] ?? report['violated-directive'] ?? '',
      blocked: report['blocked-uri'],
    },
  ]),
);

/** https://www.w3.org/TR/reporting-1/ with the body of https://www.w3.org/TR/CSP3/#reporting. Other types are ignored. */
const reportingSchema = v.pipe(
  v.array(v.object({ type: v.string(), body: v.optional(v.unknown()) })),
  v.maxLength(mostReports),
  v.transform((reports) => reports.flatMap(({ type, body }) => (type === 'csp-violation' ? [body] : []))),
  v.array(
    v.object({
      documentURL: textSchema,
      effectiveDirective: textSchema,
      blockedURL: v.nullish(textSchema, ''),
    }),
  ),
  v.transform((bodies) =>
    bodies.map((body) => ({
      page: body.documentURL,
      directive: body.effectiveDirective,
      blocked: body.blockedURL ?? '',
    })),
  ),
);

const reportSchema = v.union([reportUriSchema, reportingSchema]);

export function cspReportPath(product: string): string {
  return `/${product}/csp-report`;
}

export function cspReports(options: CspReportsOptions): FastifyPluginAsync {
  const { product, publicUrl, metrics, limiter, logger, clock } = options;
  const isNews = oncePerHour(clock);

  const note = (directive: string, blocked: Blocked): void => {
    metrics.policyViolated({ directive, blocked: blocked.kind });
    // Every report is counted and only the first is logged: one browser extension could fill the log.
    if (isNews(`${directive} ${blocked.origin}`))
      logger.warn({ directive, blocked: blocked.origin }, 'content security policy violated');
  };

  return publicReports({
    path: cspReportPath(product),
    bodyLimitBytes: 16 * 1024,
    perMinute: reportsPerMinute,
    name: 'csp-report',
    schema: reportSchema,
    limiter,
    clock,
    take(reports, { headers }) {
      const isOwn = (url: string) => URL.canParse(url) && isOwnOrigin(new URL(url).origin, publicUrl, headers.host);
      for (const { page, directive, blocked } of reports) {
        if (isOwn(page)) note(knownDirective(directive), blockedBy(blocked, isOwn));
      }
    },
  });
}

/**
 * Whether a line is to be logged: once in a window of an hour. Only logged lines are remembered, so that strangers cannot fill
 * the memory. @param said for tests
 */
export function oncePerHour(clock: Pick<Clock, 'now'>, said = new Set<string>()): (line: string) => boolean {
  let endsAt = 0;
  return (line) => {
    const now = clock.now();
    if (now >= endsAt) {
      said.clear();
      endsAt = now + hourMs;
    }
    if (said.has(line) || said.size >= mostLinesPerHour) return false;
    said.add(line);
    return true;
  };
}

const directives = new Set([
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'media-src',
  'manifest-src',
  'object-src',
  'frame-src',
  'child-src',
  'worker-src',
  'form-action',
  'frame-ancestors',
  'base-uri',
  'require-trusted-types-for',
  'trusted-types',
]);

/** Older browsers send the directive together with its sources. */
function knownDirective(text: string): string {
  const [name = ''] = text.trim().split(/\s/);
  return directives.has(name) ? name : 'other';
}

interface Blocked {
  /** A word of a fixed vocabulary, for the metric. */
  readonly kind: string;
  /** For the log: the kind, or an origin. */
  readonly origin: string;
}

const keywords = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'data',
  'blob',
  'trusted-types-policy',
  'trusted-types-sink',
]);

function blockedBy(text: string, isOwn: (url: string) => boolean): Blocked {
  const word = (kind: string): Blocked => ({ kind, origin: kind });
  if (keywords.has(text)) return word(text);
  if (!URL.canParse(text)) return word('other');
  const { protocol, origin } = new URL(text);
  if (protocol === 'data:' || protocol === 'blob:') return word(protocol.slice(0, -1));
  if (protocol.endsWith('-extension:')) return word('extension');
  if (!/^(?:https?|wss?):$/.test(protocol)) return word('other');
  return isOwn(text) ? word('self') : { kind: 'other-origin', origin };
}
