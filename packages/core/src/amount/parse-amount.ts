import { numberSymbols } from '../money/number-locale.ts';
import { withoutCurrency } from './currency-marks.ts';
import { asciiDigit, isIgnored } from './digits.ts';

/**
 * Why a text is not an amount. `ambiguous`: the text can be read as two different amounts, so it is refused and not guessed.
 */
export type AmountTextError = 'empty' | 'malformed' | 'negative' | 'ambiguous' | 'too-many-decimals' | 'too-long';

/** The canonical decimal string of a text, such as `1500.5`, or the reason for the refusal. */
export type AmountText =
  | { readonly ok: true; readonly decimal: string }
  | { readonly ok: false; readonly error: AmountTextError };

/** How to read a text: the user's locale and the decimals of the currency. */
export interface ReadingRules {
  readonly locale: string | undefined;
  readonly decimals: number;
  /** The field's currency. Its code or symbol may stand beside the number. */
  readonly currency?: string | undefined;
}

const MAX_LENGTH = 80;
const MAX_INTEGER_DIGITS = 30;

/** The Arabic decimal separator and the Arabic thousands separator. Their roles are fixed, so they are never ambiguous. */
const ARABIC_DECIMAL = '\u066b';
const ARABIC_GROUP = '\u066c';
/** The Arabic comma, which people type instead of a separator. */
const ARABIC_COMMA = '\u060c';
const MINUS = /[-\u2010-\u2015\u2212\ufe63\uff0d]/;

interface Scan {
  /** Runs of ASCII digits around the separators: one more run than separators. */
  readonly runs: readonly string[];
  readonly separators: readonly string[];
}

function scan(text: string): Scan | AmountTextError {
  const runs = [''];
  const separators: string[] = [];
  let isNegative = false;
  for (const char of text) {
    const digit = asciiDigit(char);
    const separator = char === ARABIC_COMMA ? ',' : char;
    if (digit !== undefined) runs[runs.length - 1] += digit;
    else if (separator === '.' || separator === ',' || separator === ARABIC_DECIMAL || separator === ARABIC_GROUP) {
      separators.push(separator);
      runs.push('');
    } else if (MINUS.test(char)) isNegative = true;
    else if (!isIgnored(char)) return 'malformed';
  }
  if (runs.every((run) => run === '')) return separators.length === 0 && !isNegative ? 'empty' : 'malformed';
  return isNegative ? 'negative' : { runs, separators };
}

/**
 * Reads a pasted amount, or one written outside the amount field (AMT-2).
 * Spaces and apostrophes are removed. Digits of all scripts in `digits.ts` are accepted.
 * A single separator is the decimal separator. Of several separators the last is the decimal separator, and those
 * before it must group the digits correctly.
 *
 * Signs, exponents, letters, other currencies and too many decimals are refused.
 * A separator before exactly three digits is ambiguous and refused: in English, `1,234` can mean two amounts.
 * It is accepted when it is the locale's decimal separator.
 * The text of our own amount field goes through `typeAmount` instead, because that function knows the field's separators.
 */
export function parseAmount(text: string, rules: ReadingRules): AmountText {
  if (text.length > MAX_LENGTH) return refuse('too-long');
  const number = rules.currency === undefined ? text : withoutCurrency(text, rules.currency, rules.locale);
  const scanned = scan(number);
  if (scanned === 'empty' && number !== text) return refuse(scan(text) === 'empty' ? 'empty' : 'malformed');
  if (typeof scanned === 'string') return refuse(scanned);
  const { runs, separators } = scanned;
  const last = separators.at(-1);
  if (last === undefined) return finish(runs[0] ?? '', '', rules);
  if (last === ARABIC_GROUP) return areGroups(runs) ? finish(runs.join(''), '', rules) : refuse('malformed');

  const head = runs.slice(0, -1);
  const fraction = runs.at(-1) ?? '';
  const before = separators.slice(0, -1);
  if (before.length === 0) {
    if (couldBeGroup(last, head, fraction, rules.locale)) return refuse('ambiguous');
    return finish(head[0] ?? '', fraction, rules);
  }
  if (new Set(before).size > 1) return refuse('malformed');
  // The same sign in both roles, as in 1,234,567: if every separator could be grouping, the amount is ambiguous.
  if (before[0] === last && areGroups(runs)) return refuse('ambiguous');
  if (!areGroups(head)) return refuse('malformed');
  return finish(head.join(''), fraction, rules);
}

/**
 * True when a single separator before three digits could be grouping.
 * It cannot be when the locale uses it for decimals, or when the number starts with a zero.
 */
function couldBeGroup(
  separator: string,
  head: readonly string[],
  fraction: string,
  locale: string | undefined,
): boolean {
  const lead = head[0] ?? '';
  if (separator === ARABIC_DECIMAL || fraction.length !== 3) return false;
  if (lead === '' || lead.startsWith('0') || lead.length > 3) return false;
  return separator !== numberSymbols(locale).decimal;
}

/** One to three digits, then groups of three. India writes groups of two before the last three digits. */
function areGroups(runs: readonly string[]): boolean {
  const [first = '', ...rest] = runs;
  const last = rest.pop();
  if (last === undefined) return true;
  if (first === '' || first.length > 3 || last.length !== 3) return false;
  return rest.every((run) => run.length === 3) || (first.length < 3 && rest.every((run) => run.length === 2));
}

function finish(integer: string, fraction: string, { decimals }: ReadingRules): AmountText {
  const whole = integer.replace(/^0+(?=\d)/, '') || '0';
  if (whole.length > MAX_INTEGER_DIGITS) return refuse('too-long');
  if (fraction.length > decimals) return refuse('too-many-decimals');
  return { ok: true, decimal: fraction === '' ? whole : `${whole}.${fraction}` };
}

function refuse(error: AmountTextError): AmountText {
  return { ok: false, error };
}
