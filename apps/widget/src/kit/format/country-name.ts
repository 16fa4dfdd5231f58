import type { Texts } from '../session/services.tsx';

const names = new Map<string, Intl.DisplayNames>();

/**
 * The name of a country in the user's language: from the language's file where browsers have no names in it, else by the platform's
 * own data. The code if nobody knows a name.
 */
export function countryName(code: string, texts: Pick<Texts, 'formatLocale' | 'has' | 'translate'>): string {
  const key = `region.${code}`;
  if (texts.has(key)) return texts.translate(key);
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
