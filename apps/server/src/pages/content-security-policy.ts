/** The headers of the widget's page (SRV-9). They are headers, never `<meta>`: frame-ancestors works only so. */
import { createHash } from 'node:crypto';

/** The inline scripts and styles that the build put into the page, as sources of a policy. */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const inlineTag = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/** Reads the page that our own build wrote. A block of data, such as JSON, is not executed and needs no hash. */
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
  /** The origins that the partner has registered; none: nobody may frame the page. */
  readonly frameAncestors: readonly string[];
  readonly publicUrl: string;
  /** Sites whose players and files the video guide may show. */
  readonly videoOrigins?: readonly string[];
  /** Where browsers tell what they kept away. */
  readonly reportPath?: string;
}

/** The name under which {@link reportingEndpoints} declares the address. */
const reportGroup = 'csp';

/**
 * The header of the Reporting API, which is for https alone: a browser that finds `report-to` passes `report-uri` over, also where
 * it then has nowhere to report to.
 */
export function reportingEndpoints(reportPath: string, publicUrl: string): Record<string, string> {
  return isSecure(publicUrl)
    ? { 'reporting-endpoints': `${reportGroup}="${new URL(reportPath, publicUrl).href}"` }
    : {};
}

export function contentSecurityPolicy(options: PolicyOptions): string {
  const { hashes, frameAncestors, publicUrl, videoOrigins = [], reportPath } = options;
  // Not every browser counts a web socket to the same host as 'self'.
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, 'ws');
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hashes.scripts],
    'style-src': ["'self'", ...hashes.styles],
    // A logo and fonts of the operator's own, from where it shows the cashier (UI-9).
    'img-src': ["'self'", 'data:', ...frameAncestors],
    'font-src': ["'self'", ...frameAncestors],
    'connect-src': ["'self'", socketOrigin],
    'manifest-src': ["'self'"],
    // The captcha frame, which is sandboxed by its own header; and players of video guides.
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
 * What every answer is sent with that sets no headers of its own: data and files are no pages, and if a browser is made to
 * show one, nothing in it runs and nobody frames it.
 */
export function answerHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...transportSecurity(publicUrl),
  };
}

/** What else every page of the cashier is sent with. */
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
