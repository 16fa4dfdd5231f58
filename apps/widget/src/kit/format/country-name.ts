import type { Texts } from '../session/services.tsx';

const names = new Map<string, Intl.DisplayNames>();

/** The name of a country in the user's language, by the platform's own data. The code if the platform knows no name. */
export function countryName(code: string, texts: Pick<Texts, 'formatLocale'>): string {
  let display = names.get(texts.formatLocale);
  if (!display) {
    display = new Intl.DisplayNames([texts.formatLocale, 'en'], { type: 'region' });
    names.set(texts.formatLocale, display);
  }
  try {
    return display.of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}
