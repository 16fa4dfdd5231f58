/** The links from data that may be opened, beside https links. */
export interface LinkPolicy {
  /** App schemes that the method declares, without the colon, such as `upi` or `bitcoin`. */
  readonly schemes?: readonly string[] | undefined;
  /** Allows plain http to this machine, for the sandbox of a developer. Never set it in production. */
  readonly allowLoopbackHttp?: boolean | undefined;
}

/** Why a link must not be opened. */
export type LinkRefusal = 'malformed' | 'scheme' | 'credentials';

/** A checked link. Open only `href`, which is the parsed form. */
export type LinkCheck =
  | { readonly ok: true; readonly href: string; readonly scheme: string }
  | { readonly ok: false; readonly reason: LinkRefusal };

const MAX_LENGTH = 4096;

/**
 * Schemes that no method can declare. They run scripts, read local data, open the browser's own pages, or start apps
 * without passing this check.
 */
const NEVER = new Set(
  'about blob chrome chrome-extension content data file filesystem ftp http intent jar javascript moz-extension resource vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** A browser drops tabs and line ends inside a scheme, and reads a backslash as a slash. A valid link has none of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find exactly these characters
const UNREADABLE = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\\]/;

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/**
 * Decides whether a link from data may be opened (FORM-9). The check is an allow-list over the parsed address:
 * https, the schemes of `policy`, and nothing else. Relative addresses and `//host` are refused.
 */
export function checkLink(link: string, policy: LinkPolicy = {}): LinkCheck {
  if (link.length > MAX_LENGTH || UNREADABLE.test(link) || !SCHEME.test(link))
    return { ok: false, reason: 'malformed' };
  const url = parse(link);
  if (url === undefined) return { ok: false, reason: 'malformed' };
  const scheme = url.protocol.slice(0, -1);
  if (!isAllowedScheme(scheme, url, policy)) return { ok: false, reason: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials' };
  if ((scheme === 'https' || scheme === 'http') && !/^https?:\/\/[^/]/i.test(link))
    return { ok: false, reason: 'malformed' };
  return { ok: true, href: url.href, scheme };
}

/** The address to open. Undefined when the link must not be opened (FORM-9). */
export function safeLink(link: string | null | undefined, policy: LinkPolicy = {}): string | undefined {
  if (link === null || link === undefined) return undefined;
  const check = checkLink(link, policy);
  return check.ok ? check.href : undefined;
}

function isAllowedScheme(scheme: string, url: URL, policy: LinkPolicy): boolean {
  if (scheme === 'https') return true;
  if (scheme === 'http') return policy.allowLoopbackHttp === true && isLoopback(url.hostname);
  if (NEVER.has(scheme)) return false;
  return policy.schemes?.some((allowed) => allowed.toLowerCase() === scheme) ?? false;
}

/** True for names and addresses that always mean this machine. `hostname` comes from a parsed URL. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

function parse(link: string, base?: string): URL | undefined {
  try {
    return new URL(link, base);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A base address that cannot exist on the network. A path that leaves the application therefore changes the origin. */
const NOWHERE = 'https://app.invalid';

/**
 * The in-app path of `to` or `backRoute` (DEP-15, NAV-5): path, query and fragment.
 * @returns undefined for a value that could leave the application: `//host` (also by dots), a scheme, a backslash
 */
export function safeAppPath(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || value.length > MAX_LENGTH) return undefined;
  if (!/^\/(?![/\\])/.test(value) || UNREADABLE.test(value)) return undefined;
  const url = parse(value, NOWHERE);
  if (url === undefined || url.origin !== NOWHERE || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
