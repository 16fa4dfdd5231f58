/** What a language is called by those who speak it, with its tag: `العربية (ar)`. The tag alone where nobody knows it. */
export function languageName(tag: string): string {
  const own = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
  return own === undefined ? tag : `${own} (${tag})`;
}
