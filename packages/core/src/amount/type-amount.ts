import { currencyOf } from '../money/currencies.ts';
import { numberSymbols, toNumberLocale } from '../money/number-locale.ts';
import { asciiDigit } from './digits.ts';

/** What the amount field accepts while a person types (AMT-1). */
export interface TypingRules {
  /** The locale's decimal separator. */
  readonly separator: string;
  /** The locale's group separator. The field shows it, and the typing rules skip it. Empty when the locale has none. */
  readonly group: string;
  readonly decimals: number;
  readonly maxIntegerDigits: number;
  readonly currency: string;
}

/** The limit of integer digits when the method has no maximum amount. */
const DEFAULT_MAX_INTEGER_DIGITS = 15;

/**
 * The typing rules of a currency in a locale (AMT-1): 2 decimals for fiat and 8 for crypto.
 * The field accepts one more integer digit than the maximum has, so that a too high amount becomes visible.
 * @param max the maximum in minor units, if there is one
 */
export function typingRules(currency: string, locale: string | undefined, max?: bigint | undefined): TypingRules {
  const { decimals } = currencyOf(currency);
  const { decimal, group } = numberSymbols(locale);
  const maxIntegerDigits =
    max === undefined ? DEFAULT_MAX_INTEGER_DIGITS : (max / 10n ** BigInt(decimals)).toString().length + 1;
  return { separator: decimal, group, decimals, maxIntegerDigits, currency };
}

/**
 * The text of the field after a keystroke (AMT-1): ASCII digits and the locale's decimal separator.
 * A separator without a digit before it gets a zero, because dropping the separator would multiply the amount.
 * A second separator and the digits beyond either length limit are dropped. Leading zeros (`00`, `05`) collapse.
 *
 * The text contains the field's group separators, so the typed key must go through `typedKey` first.
 * Pasted text must go through `parseAmount` instead, because dropping characters could change its value.
 */
export function typeAmount(text: string, rules: TypingRules): string {
  let integer = '';
  let fraction: string | undefined;
  for (const char of text) {
    const digit = asciiDigit(char);
    if (digit !== undefined) {
      if (fraction !== undefined) fraction += fraction.length < rules.decimals ? digit : '';
      else integer = appendDigit(integer, digit, rules.maxIntegerDigits);
    } else if (char !== rules.group && isDecimalKey(char) && fraction === undefined && rules.decimals > 0) {
      integer ||= '0';
      fraction = '';
    }
  }
  return fraction === undefined ? integer : integer + rules.separator + fraction;
}

/** The keys for the decimal separator on Latin, Arabic and East Asian keyboards. */
const DECIMAL_KEYS = '.,\u066b\u060c\uff0e\uff0c\uff61\u3002';

/** Whether a typed character is a decimal key. The field adds the group separators, so nobody needs to type one (AMT-1). */
export function isDecimalKey(char: string): boolean {
  return char !== '' && DECIMAL_KEYS.includes(char);
}

/** Converts a typed character for the field: every decimal key becomes the locale's decimal separator (AMT-1). */
export function typedKey(char: string, { separator }: TypingRules): string {
  return isDecimalKey(char) ? separator : char;
}

function appendDigit(integer: string, digit: string, maxDigits: number): string {
  const next = integer === '0' ? digit : integer + digit;
  return next.length > maxDigits ? integer : next;
}

/** A canonical decimal string as the field shows it during editing: with the locale's separator, without grouping. */
export function editAmount(decimal: string, rules: TypingRules): string {
  return decimal.replace('.', rules.separator);
}

/**
 * Adds thousands separators to a typed amount, for a field without focus: `1500.5` becomes `1,500.5`.
 * Nothing else changes, so further typing reads the same value.
 */
export function groupTyped(typed: string, locale: string | undefined, rules: TypingRules): string {
  const [integer = '', fraction] = typeAmount(typed, rules).split(rules.separator);
  if (integer === '') return '';
  const grouped = groupInteger(integer, locale, rules);
  return fraction === undefined ? grouped : grouped + rules.separator + fraction;
}

function groupInteger(integer: string, locale: string | undefined, rules: TypingRules): string {
  // The locale decides the group sizes (India: 1,00,000). Its digits are converted to ASCII, because the field uses ASCII.
  const parts = new Intl.NumberFormat(toNumberLocale(locale)).formatToParts(BigInt(integer));
  return parts
    .map(({ type, value }) =>
      type === 'group' ? rules.group : [...value].map((char) => asciiDigit(char) ?? char).join(''),
    )
    .join('');
}
