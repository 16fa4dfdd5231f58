/** The page of the widget, prepared for an operator: its settings, its first look and its security policy. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Operator } from '../operators/operators.ts';
import { contentSecurityPolicy, type InlineHashes, inlineHashesOf } from '../pages/content-security-policy.ts';

/** `index.html` of the build. */
export interface BuiltPage {
  readonly html: string;
  readonly hashes: InlineHashes;
  readonly changedAt: number;
}

export type Encoding = 'br' | 'gzip' | 'identity';

export interface PreparedPage {
  readonly builtPage: BuiltPage;
  readonly operator: Operator | undefined;
  readonly policy: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** What all pages of a server have in common. */
export interface PageSettings {
  readonly publicUrl: string;
  /** Whether the widget may show its console hooks (HOST-10). */
  readonly isDebugAllowed: boolean;
  /** Sites that the video guide may embed (DEP-13). */
  readonly videoOrigins: readonly string[];
  /** Where browsers report breaches of the policy. */
  readonly reportPath: string;
}

const bootPlace = '<!--boot-config-->';

/**
 * Reads the build's page. In development the build may run again while the server runs, so a changed file is read again.
 * @param known the page as it was read before
 * @returns undefined when the widget has not been built
 */
export function readBuiltPage(folder: string, known: BuiltPage | undefined): BuiltPage | undefined {
  const file = join(folder, 'index.html');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (known?.changedAt === stats.mtimeMs) return known;
  const html = readFileSync(file, 'utf8');
  return { html, hashes: inlineHashesOf(html), changedAt: stats.mtimeMs };
}

/** @param operator undefined for a partner key that is unknown: the page then shows nothing in a frame */
export function preparePage(
  builtPage: BuiltPage,
  operator: Operator | undefined,
  look: FirstLook,
  { publicUrl, isDebugAllowed, videoOrigins, reportPath }: PageSettings,
): PreparedPage {
  const allowedOrigins = operator?.allowedOrigins ?? [];
  const boot = {
    partner: operator?.partnerKey ?? '',
    allowedOrigins,
    debug: isDebugAllowed,
    ...(videoOrigins.length > 0 && { videoOrigins }),
  };
  const html = Buffer.from(withBootConfig(withFirstLook(builtPage.html, look), boot));
  return {
    builtPage,
    operator,
    policy: contentSecurityPolicy({
      hashes: builtPage.hashes,
      frameAncestors: allowedOrigins,
      publicUrl,
      videoOrigins,
      reportPath,
    }),
    bodies: { br: brotliCompressSync(html), gzip: gzipSync(html), identity: html },
  };
}

/** The part of the look that the address carries. The page shows it before any script has run. */
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

/** Gives the page its theme and writing direction, so that they do not change when the widget appears. */
export function withFirstLook(html: string, { theme, direction }: FirstLook): string {
  return html.replace(/<html\b[^>]*>/, (tag) =>
    tag.replace(/\bdata-theme="\w*"/, `data-theme="${theme}"`).replace(/\bdir="\w*"/, `dir="${direction}"`),
  );
}

/** Writes the settings into the page as JSON. `<`, `>` and `&` are escaped, so that a setting cannot end the script element. */
export function withBootConfig(html: string, boot: object): string {
  const json = JSON.stringify(boot).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const script = `<script type="application/json" id="boot-config">${json}</script>`;
  // The replacement is a function, so that `replace` does not interpret `$&` in a setting.
  if (html.includes(bootPlace)) return html.replace(bootPlace, () => script);
  return html.replace('</head>', () => `${script}</head>`);
}
