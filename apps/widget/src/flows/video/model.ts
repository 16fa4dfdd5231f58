/** Where a guide's video can be shown. The catalogue's link is not trusted, so this file parses it and never edits it. */
import { type LinkPolicy, safeLink } from '@opencashier/core/links/safe-link';

export type Guide =
  /** A player of a site that the operator allows. */
  | { readonly kind: 'player'; readonly src: string; readonly href: string }
  /** A file that the browser plays itself. */
  | { readonly kind: 'file'; readonly src: string; readonly href: string }
  | { readonly kind: 'link'; readonly href: string };

/** Addresses of video pages, as users copy them, and the addresses of their players. */
const players: readonly { readonly page: RegExp; readonly player: string }[] = [
  {
    page: /^https:\/\/(?:(?:www|m)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|embed\/)([\w-]{6,20})/,
    player: 'https://www.youtube-nocookie.com/embed/',
  },
  { page: /^https:\/\/youtu\.be\/([\w-]{6,20})/, player: 'https://www.youtube-nocookie.com/embed/' },
  { page: /^https:\/\/(?:www\.)?vimeo\.com\/(\d{4,12})/, player: 'https://player.vimeo.com/video/' },
];

const playableFile = /\.(?:mp4|webm|ogv)$/i;

/**
 * How to show a guide (DEP-13); undefined without a link that may be opened (FORM-9).
 * @param allowed origins that the page's policy allows; a frame of any other origin would be blank
 */
export function guideOf(
  link: string | undefined,
  allowed: readonly string[],
  policy: LinkPolicy = {},
): Guide | undefined {
  const href = safeLink(link, policy);
  if (href === undefined) return undefined;
  const src = playerOf(href);
  const { origin, pathname } = new URL(src);
  if (!allowed.includes(origin)) return { kind: 'link', href };
  return { kind: playableFile.test(pathname) ? 'file' : 'player', src, href };
}

function playerOf(href: string): string {
  for (const { page, player } of players) {
    const id = page.exec(href)?.[1];
    if (id !== undefined) return `${player}${id}`;
  }
  return href;
}

/** The sites that the page's policy allows. The server writes them into the page's settings. */
export function allowedVideoOrigins(document: Pick<Document, 'getElementById'>): readonly string[] {
  const text = document.getElementById('boot-config')?.textContent ?? '{}';
  try {
    const config: unknown = JSON.parse(text);
    const origins: unknown = typeof config === 'object' && config !== null && Reflect.get(config, 'videoOrigins');
    return Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
