/** Short pages between the cashier and a provider, without the widget's scripts. In both writing directions and both themes. */
import { createHash } from 'node:crypto';
import { textLocaleOf } from '@opencashier/core/locale/text-locale';
import { wordFiles } from '../languages/word-files.ts';
import english from '../languages/words/en.json' with { type: 'json' };
import { createWords } from '../languages/words.ts';

export interface PageTexts {
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly goingTitle: string;
  readonly goingText: string;
  readonly goingButton: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly returnedTitle: string;
  readonly returnedText: string;
}

const words = createWords(wordFiles);

/** The texts of a locale such as `de`, `es-MX` or a browser's whole list. English when there is no translation (UI-1). */
export function pageTexts(locale: unknown): PageTexts {
  const [asked = ''] = typeof locale === 'string' ? locale.split(/[,;]/) : [];
  const tag = tagOf(asked.trim()) ?? 'en';
  const say = (text: string): string => words(text, tag) ?? text;
  return {
    locale: tag,
    direction: tag === 'ar' || tag === 'ur' ? 'rtl' : 'ltr',
    goingTitle: say(english['page.going.title']),
    goingText: say(english['page.going.text']),
    goingButton: say(english['page.going.button']),
    goneTitle: say(english['page.gone.title']),
    goneText: say(english['page.gone.text']),
    returnedTitle: say(english['page.returned.title']),
    returnedText: say(english['page.returned.text']),
  };
}

/** The tag whose file has the texts: the asked tag itself when it has a file, else its language. */
function tagOf(asked: string): string | undefined {
  const wanted = textLocaleOf(asked);
  return [wanted, wanted.split('-')[0] ?? ''].find((tag) => tag in wordFiles);
}

const style = `:root{color-scheme:light;--bg:#f4f6f8;--text:#0f151c;--muted:#566273;--accent:#0a7a5a;--on:#fff}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;--bg:#0d1117;--text:#eef2f6;--muted:#9aa7b6;--accent:#3ccf9c;--on:#04261b}}
:root[data-theme=dark]{color-scheme:dark;--bg:#0d1117;--text:#eef2f6;--muted:#9aa7b6;--accent:#3ccf9c;--on:#04261b}
body{display:grid;place-content:center;gap:8px;min-height:100vh;margin:0;padding:24px;box-sizing:border-box;background:var(--bg);color:var(--text);font:400 1rem/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',sans-serif;text-align:center}
h1{margin:0;font-size:1.375rem;line-height:1.25}p{margin:0;max-width:34ch;color:var(--muted)}
button{min-height:56px;margin-top:16px;padding:10px 24px;border:0;border-radius:16px;background:var(--accent);color:var(--on);font:inherit;font-weight:700;cursor:pointer}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

/** Source of the pages' own style in a policy. */
export const plainPageStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
}

export interface PlainPage {
  readonly texts: PageTexts;
  readonly title: string;
  readonly text: string;
  /** Absent: the browser's own preference. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Ready HTML below the text. */
  readonly content?: string;
}

/** @returns the whole document */
export function plainPage({ texts: { locale, direction }, title, text, theme, content = '' }: PlainPage): string {
  const dataTheme = theme === undefined ? '' : ` data-theme="${theme}"`;
  return `<!doctype html>
<html lang="${locale}" dir="${direction}"${dataTheme}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${content}
</main>
</html>
`;
}
