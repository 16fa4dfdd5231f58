/** The number format when the user's locale is unknown (the specification, section 9: display locale `mx`). */
export const DEFAULT_NUMBER_LOCALE = 'es-MX';

/** Short names that hosts use for a number format, but that are not locales. */
const ALIASES: Readonly<Record<string, string>> = { mx: 'es-MX' };

const cache = new Map<string, string>();

/** The locale for Intl number formats: aliases resolved, and the default for a locale that Intl does not know (AMT-9). */
export function toNumberLocale(locale: string | undefined): string {
  if (locale === undefined || locale === '') return DEFAULT_NUMBER_LOCALE;
  const cached = cache.get(locale);
  if (cached !== undefined) return cached;
  const resolved = resolve(ALIASES[locale.toLowerCase()] ?? locale);
  cache.set(locale, resolved);
  return resolved;
}

/**
 * A locale with the digits of our texts: 0 to 9 in every language.
 * Bengali, Marathi and others have their own digits, but our sentences, card numbers and clocks do not use them.
 * A locale that names its digits (`-u-nu-`) keeps them.
 * @throws RangeError for a text that is not a locale
 */
export function withTextDigits(locale: string): string {
  const named = new Intl.Locale(locale);
  if (named.numberingSystem !== undefined) return locale;
  const isOurs = new Intl.NumberFormat(locale).resolvedOptions().numberingSystem === 'latn';
  return isOurs ? locale : new Intl.Locale(named, { numberingSystem: 'latn' }).toString();
}

function resolve(locale: string): string {
  try {
    return withTextDigits(Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? DEFAULT_NUMBER_LOCALE);
  } catch (error) {
    if (error instanceof RangeError) return DEFAULT_NUMBER_LOCALE;
    throw error;
  }
}

/** The group separator, the decimal separator and the ten digits of a locale. */
export interface NumberSymbols {
  readonly group: string;
  readonly decimal: string;
  readonly digits: readonly string[];
}

const symbolsCache = new Map<string, NumberSymbols>();

/** Separators and digits of a locale. `group` is empty when the locale has no grouping. */
export function numberSymbols(locale: string | undefined): NumberSymbols {
  const resolved = toNumberLocale(locale);
  const cached = symbolsCache.get(resolved);
  if (cached !== undefined) return cached;
  const parts = new Intl.NumberFormat(resolved, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5);
  const plain = new Intl.NumberFormat(resolved, { useGrouping: false });
  const symbols: NumberSymbols = {
    group: parts.find(({ type }) => type === 'group')?.value ?? '',
    decimal: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
  };
  symbolsCache.set(resolved, symbols);
  return symbols;
}
