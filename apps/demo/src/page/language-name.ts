/** The name of a language in that language, with its tag: `العربية (ar)`. The tag alone for an unknown language. */
export function languageName(tag: string): string {
  const own = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
  return own === undefined ? tag : `${own} (${tag})`;
}
