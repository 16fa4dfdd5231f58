/** The number format when the user's locale is unknown (the specification, section 9: display locale `mx`). */
export const DEFAULT_NUMBER_LOCALE = 'es-MX';

/** Short names that hosts use for a number format and that are not locales by themselves. */
const ALIASES: Readonly<Record<string, string>> = { mx: 'es-MX' };

const cache = new Map<string, string>();

/** The locale by which Intl writes numbers: aliases resolved, and the default for what Intl does not know (AMT-9). */
export function toNumberLocale(locale: string | undefined): string {
  if (locale === undefined || locale === '') return DEFAULT_NUMBER_LOCALE;
  const cached = cache.get(locale);
  if (cached !== undefined) return cached;
  const resolved = resolve(ALIASES[locale.toLowerCase()] ?? locale);
  cache.set(locale, resolved);
  return resolved;
}

/**
 * A locale with the digits of our texts: 0 to 9, in every language. Bengali, Marathi and others would write amounts in digits of
 * their own beside sentences, card numbers and clocks that have ours. A locale that names its digits (`-u-nu-`) keeps them.
 * @throws RangeError for what is no locale
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

/** What separates thousands and decimals in a locale, and its ten digits. */
export interface NumberSymbols {
  readonly group: string;
  readonly decimal: string;
  readonly digits: readonly string[];
}

const symbolsCache = new Map<string, NumberSymbols>();

/** Separators and digits of a locale. `group` is empty in a locale that groups nothing. */
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
