import type { Texts } from '../session/services.tsx';

const names = new Map<string, Intl.DisplayNames>();

/** A country in the person's language, by the platform's own data; the code where it knows none. */
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
