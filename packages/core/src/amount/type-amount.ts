import { currencyOf } from '../money/currencies.ts';
import { numberSymbols, toNumberLocale } from '../money/number-locale.ts';
import { asciiDigit } from './digits.ts';

/** What the amount field accepts while a person types (AMT-1). */
export interface TypingRules {
  /** The locale's decimal separator. */
  readonly separator: string;
  /** The locale's group separator, which the field shows and the typing rules pass over; empty where there is none. */
  readonly group: string;
  readonly decimals: number;
  readonly maxIntegerDigits: number;
  readonly currency: string;
}

/** Without a maximum an amount still ends somewhere. */
const DEFAULT_MAX_INTEGER_DIGITS = 15;

/**
 * The typing rules of a currency in a locale (AMT-1): 2 decimals fiat and 8 crypto, and one integer digit more than the
 * maximum has, so that a person can see that it is too much.
 * @param max the limit in minor units, if there is one
 */
export function typingRules(currency: string, locale: string | undefined, max?: bigint | undefined): TypingRules {
  const { decimals } = currencyOf(currency);
  const { decimal, group } = numberSymbols(locale);
  const maxIntegerDigits =
    max === undefined ? DEFAULT_MAX_INTEGER_DIGITS : (max / 10n ** BigInt(decimals)).toString().length + 1;
  return { separator: decimal, group, decimals, maxIntegerDigits, currency };
}

/**
 * The text of the field after a keystroke (AMT-1): ASCII digits and the locale's decimal separator. A separator without a
 * digit before it gets a zero, because dropping it would multiply the amount. Everything else is dropped: a second separator,
 * digits beyond the decimals or beyond the integer digits; leading zeros (`00`, `05`) collapse. The text holds the field's own group separators, so the key that was just typed goes through
 * `typedKey` first. Pasted text goes through `parseAmount` instead, because dropping characters could change its value.
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

/** Keys that keyboards have for the decimal separator: of Latin, Arabic and East Asian layouts. */
const DECIMAL_KEYS = '.,\u066b\u060c\uff0e\uff0c\uff61\u3002';

/** Whether a typed character is a decimal key. The field groups by itself, so nobody types a group separator (AMT-1). */
export function isDecimalKey(char: string): boolean {
  return char !== '' && DECIMAL_KEYS.includes(char);
}

/** A typed character as the field takes it: every decimal key is the locale's separator, in every locale (AMT-1). */
export function typedKey(char: string, { separator }: TypingRules): string {
  return isDecimalKey(char) ? separator : char;
}

function appendDigit(integer: string, digit: string, maxDigits: number): string {
  const next = integer === '0' ? digit : integer + digit;
  return next.length > maxDigits ? integer : next;
}

/** A canonical decimal string as the field shows it while it is edited: the locale's separator, no grouping. */
export function editAmount(decimal: string, rules: TypingRules): string {
  return decimal.replace('.', rules.separator);
}

/**
 * What was typed with its thousands grouped, for a field that is not being edited: `1500.5` is `1,500.5`. Only adds group
 * separators, so that typing on reads the same value.
 */
export function groupTyped(typed: string, locale: string | undefined, rules: TypingRules): string {
  const [integer = '', fraction] = typeAmount(typed, rules).split(rules.separator);
  if (integer === '') return '';
  const grouped = groupInteger(integer, locale, rules);
  return fraction === undefined ? grouped : grouped + rules.separator + fraction;
}

function groupInteger(integer: string, locale: string | undefined, rules: TypingRules): string {
  // The locale decides the sizes of the groups (India: 1,00,000); its digits are put back to ASCII, as the field has them.
  const parts = new Intl.NumberFormat(toNumberLocale(locale)).formatToParts(BigInt(integer));
  return parts
    .map(({ type, value }) =>
      type === 'group' ? rules.group : [...value].map((char) => asciiDigit(char) ?? char).join(''),
    )
    .join('');
}
