/** The headers of the widget's page (SRV-9). A `<meta>` element would not do: browsers ignore frame-ancestors in it. */
import { createHash } from 'node:crypto';

/** Hashes of the page's inline scripts and styles, as sources of a policy. */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const inlineTag = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/** Reads the page of our own build. A script element with data, such as JSON, is not executed and needs no hash. */
export function inlineHashesOf(html: string): InlineHashes {
  const hashes = { scripts: [] as string[], styles: [] as string[] };
  for (const [, tag = '', attributes = '', content = ''] of html.matchAll(inlineTag)) {
    const source = `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    if (tag.toLowerCase() === 'style') hashes.styles.push(source);
    else if (!/\bsrc\s*=/i.test(attributes) && !/\btype\s*=\s*["']?application\/(?:ld\+)?json/i.test(attributes)) {
      hashes.scripts.push(source);
    }
  }
  return hashes;
}

export interface PolicyOptions {
  readonly hashes: InlineHashes;
  /** The origins that the partner has registered. None: no page may frame this one. */
  readonly frameAncestors: readonly string[];
  readonly publicUrl: string;
  /** Sites whose players and files the video guide may show. */
  readonly videoOrigins?: readonly string[];
  /** The path to which browsers report breaches. */
  readonly reportPath?: string;
}

/** The name under which {@link reportingEndpoints} declares the address. */
const reportGroup = 'csp';

/**
 * The header of the Reporting API, only for https. A browser that finds `report-to` ignores `report-uri`, even when it then has no
 * endpoint.
 */
export function reportingEndpoints(reportPath: string, publicUrl: string): Record<string, string> {
  return isSecure(publicUrl)
    ? { 'reporting-endpoints': `${reportGroup}="${new URL(reportPath, publicUrl).href}"` }
    : {};
}

export function contentSecurityPolicy(options: PolicyOptions): string {
  const { hashes, frameAncestors, publicUrl, videoOrigins = [], reportPath } = options;
  // Some browsers do not count a web socket to the same host as 'self'.
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, 'ws');
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hashes.scripts],
    'style-src': ["'self'", ...hashes.styles],
    // The operator's logo and fonts, from the site that shows the cashier (UI-9).
    'img-src': ["'self'", 'data:', ...frameAncestors],
    'font-src': ["'self'", ...frameAncestors],
    'connect-src': ["'self'", socketOrigin],
    'manifest-src': ["'self'"],
    // The captcha frame, which has a sandbox of its own, and players of video guides.
    'frame-src': ["'self'", ...videoOrigins],
    ...(videoOrigins.length > 0 && { 'media-src': videoOrigins }),
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors.length > 0 ? frameAncestors : ["'none'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    ...(reportPath !== undefined && { 'report-uri': [reportPath] }),
    ...(reportPath !== undefined && isSecure(publicUrl) && { 'report-to': [reportGroup] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/**
 * Headers of every answer that sets none of its own. Data and files are no pages. If a browser is made to show one, no script in
 * it runs and no page can frame it.
 */
export function answerHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...transportSecurity(publicUrl),
  };
}

/** The other headers of every page of the cashier. */
export function pageHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy':
      'accelerometer=(), camera=(self), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
    ...transportSecurity(publicUrl),
  };
}

function transportSecurity(publicUrl: string): Record<string, string> {
  return isSecure(publicUrl) ? { 'strict-transport-security': 'max-age=31536000' } : {};
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
