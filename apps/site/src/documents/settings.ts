/** For which address the site is built. scripts/site.mjs sets the variables; without it the site is at the root. */
import type { Place } from './routes.ts';

const { env } = process;

/** The version that this build shows: `latest` or a number. */
export const version = env['SITE_VERSION'] ?? 'latest';

/** The path under which all versions and versions.json are, with a slash at both ends. */
export const siteRoot = env['SITE_ROOT'] ?? '/';

export const origin = env['SITE_ORIGIN'] ?? 'http://localhost:3003';

export const place: Place = { base: env['SITE_BASE'] ?? '/', revision: env['SITE_REVISION'] ?? 'main' };
