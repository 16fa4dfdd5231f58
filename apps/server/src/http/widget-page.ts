/** The page of the widget, prepared for an operator: its settings, its first look and its security policy. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from '../operators/operators.ts';
import type { OwnPageTexts } from '../own-texts/served-texts.ts';
import { contentSecurityPolicy, type InlineHashes, inlineHashesOf } from '../pages/content-security-policy.ts';
import type { DrawnList } from '../pages/first-list-renderer.ts';
import { escapeHtml } from '../pages/plain-page.ts';
import { type BodyIn, compressed } from './compressed.ts';

/** `index.html` of the build. */
export interface BuiltPage {
  readonly html: string;
  readonly hashes: InlineHashes;
  readonly changedAt: number;
  /** The address of the build's files, such as `/cashier/`. */
  readonly base: string;
}

export interface PreparedPage {
  readonly builtPage: BuiltPage;
  readonly operator: Operator | undefined;
  /** Of the operator's own texts, as compiled; undefined when it has none. */
  readonly textsFolder: string | undefined;
  readonly policy: string;
  /** Names the content, for a browser that has it already. */
  readonly tag: string;
  readonly bodyIn: BodyIn;
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
  return { html, hashes: inlineHashesOf(html), changedAt: stats.mtimeMs, base: baseOf(html) };
}

/** Whether the widget has been built: without its page, every page of the widget answers 503. */
export function hasBuild(folder: string): boolean {
  return statSync(join(folder, 'index.html'), { throwIfNoEntry: false }) !== undefined;
}

/** What a page shows besides its look. */
interface PageContent {
  /** The operator's own texts; absent: the built texts. */
  readonly texts?: OwnPageTexts | undefined;
  /** The first list; absent: the page shows the shape of a list until the widget has it. */
  readonly drawing?: DrawnList;
}

/** @param operator undefined for a partner key that is unknown: the page then shows nothing in a frame */
export function preparePage(
  builtPage: BuiltPage,
  operator: Operator | undefined,
  look: FirstLook,
  { publicUrl, isDebugAllowed, videoOrigins, reportPath }: PageSettings,
  { texts, drawing }: PageContent = {},
): PreparedPage {
  const { hashes } = builtPage;
  const allowedOrigins = operator?.allowedOrigins ?? [];
  const boot = {
    partner: operator?.partnerKey ?? '',
    allowedOrigins,
    debug: isDebugAllowed || operator?.isDebugAllowed === true,
    ...(videoOrigins.length > 0 && { videoOrigins }),
    ...(texts && { texts: texts.folder }),
  };
  const styles = stylesOf(drawing);
  const looking = withFirstLook(builtPage.html, look);
  const html = Buffer.from(
    withBootConfig(drawing ? withDrawing(looking, drawing, styles, builtPage, look) : withoutDrawing(looking), boot),
  );
  return {
    builtPage,
    operator,
    textsFolder: texts?.folder,
    policy: contentSecurityPolicy({
      hashes: { ...hashes, styles: [...hashes.styles, ...inlineHashesOf(styles).styles] },
      frameAncestors: allowedOrigins,
      publicUrl,
      videoOrigins,
      reportPath,
    }),
    tag: createHash('sha256').update(html).digest('base64url').slice(0, 22),
    bodyIn: compressed(html),
  };
}

/** Whether a page may be sent again: it is of this build, and the operator has changed neither its settings nor its texts. */
export function isMadeOf(
  page: PreparedPage,
  made: Pick<PreparedPage, 'builtPage' | 'operator'> & Pick<PageContent, 'texts'>,
): boolean {
  const { builtPage, operator, textsFolder } = page;
  return builtPage === made.builtPage && operator === made.operator && textsFolder === made.texts?.folder;
}

/** The part of the look that the address carries. The page shows it before any script has run. */
export interface FirstLook {
  readonly theme: 'light' | 'dark' | 'auto';
  readonly direction: 'ltr' | 'rtl';
  /** The host has a look of its own. The list is shown when the look is there, or the person would see its colours change. */
  readonly isAwaited: boolean;
}

export function firstLookOf({ theme, locale, look }: Readonly<Record<string, unknown>>): FirstLook {
  return {
    theme: theme === 'dark' || theme === 'auto' ? theme : 'light',
    direction: typeof locale === 'string' && /^(?:ar|ur)(?:[-_]|$)/i.test(locale) ? 'rtl' : 'ltr',
    isAwaited: look !== undefined,
  };
}

/** Gives the page its theme and writing direction, so that they do not change when the widget appears. */
export function withFirstLook(html: string, { theme, direction }: Pick<FirstLook, 'theme' | 'direction'>): string {
  return html.replace(/<html\b[^>]*>/, (tag) =>
    tag.replace(/\bdata-theme="\w*"/, `data-theme="${theme}"`).replace(/\bdir="\w*"/, `dir="${direction}"`),
  );
}

const skeleton = /<!--skeleton-->[\s\S]*<!--\/skeleton-->/;
const rootTag = '<div id="root"';
const ofFirstCall = /<!--first-call-->([\s\S]*?)<!--\/first-call-->/;
const ofLook = /<!--look-->([\s\S]*?)<!--\/look-->/;
const listPlace = '<!--first-list-->';

function withoutDrawing(html: string): string {
  return html.replace(ofLook, '').replace(listPlace, '');
}

/**
 * Puts the drawn list into the page, with its data. Its first call comes later, so the links to what a call needs go. Until the
 * host's look is there, the page shows the shape of a list.
 */
function withDrawing(
  html: string,
  drawing: DrawnList,
  styles: string,
  { base }: BuiltPage,
  { isAwaited }: FirstLook,
): string {
  const [shape = ''] = isAwaited ? (skeleton.exec(html) ?? []) : [];
  // The header comes first. A browser that paints it before it has read the list must know how wide the list is.
  const drawn = drawing.html.includes('data-width="wide"') ? 'data-drawn="wide"' : 'data-drawn';
  const texts = `<link rel="preload" as="fetch" crossorigin href="${base}${drawing.textsFile}">`;
  // Each replacement is a function, so that `replace` does not interpret `$&` in a text.
  return html
    .replace(/<html\b[^>]*>/, (tag) => tag.replace(/\blang="[\w-]*"/, () => `lang="${drawing.data.locale}"`))
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(drawing.title)}</title>`)
    .replace(ofFirstCall, () => texts + styles)
    .replace(ofLook, (_all, links: string) => (isAwaited ? links : ''))
    .replace(rootTag, () => `${rootTag} ${drawn}${isAwaited ? ' data-waits' : ''}`)
    .replace(skeleton, () => drawing.html)
    .replace(listPlace, () => shape + tileTemplates(drawing) + dataElement('first-list', drawing.data));
}

/** The styles that the pages of the tiles need, as an element. */
function stylesOf(drawing: DrawnList | undefined): string {
  const sheets = new Set(drawing?.tilePages.flatMap((page) => page.sheets));
  return sheets.size === 0 ? '' : `<style>${[...sheets].join('')}</style>`;
}

/** The pages of the tiles. A browser reads a template and shows nothing of it. */
function tileTemplates({ tilePages }: DrawnList): string {
  return tilePages
    .map(({ opens, device = '', html }) => {
      const attributes = `data-opens="${escapeHtml(opens)}"${device && ` data-device="${device}"`}`;
      return `<template ${attributes}>${html}</template>`;
    })
    .join('');
}

function baseOf(html: string): string {
  return /\ssrc="(\/[^"]*?)assets\//.exec(html)?.[1] ?? '/';
}

/** An element with data for the widget. `<`, `>` and `&` are escaped, so that no text can end the element. */
function dataElement(id: string, data: object): string {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Writes the settings into the page. */
export function withBootConfig(html: string, boot: object): string {
  const script = dataElement('boot-config', boot);
  // The replacement is a function, so that `replace` does not interpret `$&` in a setting.
  if (html.includes(bootPlace)) return html.replace(bootPlace, () => script);
  return html.replace('</head>', () => `${script}</head>`);
}
