/** Languages that browsers show but cannot write: Chromium has no numbers, dates or names of countries in them. */

/**
 * For each, a language that writes numbers and short dates in the same way. Without it Chromium writes `KZT 1,234.50` in Kazakh, and
 * `M11 26` for a date. The server draws lists with the same rule, because Node has more languages than browsers.
 */
const alike: Readonly<Record<string, string>> = { az: 'de', kk: 'ru-KZ', ky: 'ru-KG', tg: 'ru', uz: 'ru' };

/** The locale whose numbers and dates stand in the texts of a language. Undefined for a language that every browser writes. */
export function writesAlike(locale: string): string | undefined {
  const language = locale.split('-')[0] ?? '';
  return Object.hasOwn(alike, language) ? alike[language] : undefined;
}
