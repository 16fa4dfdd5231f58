import { currencyOf, shownCode } from '../money/currencies.ts';
import { toNumberLocale } from '../money/number-locale.ts';
import { isIgnored } from './digits.ts';

/** Currency words and letters that people write beside an amount and that Intl does not know. */
const FURTHER_MARKS: Readonly<Record<string, readonly string[]>> = {
  CNY: ['rmb', '元'],
  INR: ['rs'],
  JPY: ['円'],
  KRW: ['원'],
  KZT: ['тг'],
  RUB: ['руб', 'р'],
  TRY: ['tl'],
  UAH: ['грн'],
  VND: ['đ', 'vnđ'],
};

/** An amount may have a code and a symbol on one side: `USD $25`. */
const MOST_MARKS = 2;

const marksCache = new Map<string, readonly string[]>();

/**
 * Removes the currency from a pasted amount: `$1,234.56` becomes `1,234.56`, and `25 USD` becomes `25`.
 * Only codes and symbols of the field's own currency are removed. The text keeps any other currency, so
 * `parseAmount` refuses it.
 */
export function withoutCurrency(text: string, currency: string, locale: string | undefined): string {
  const marks = marksOf(currency, locale);
  let chars = [...text];
  for (let round = 0; round < MOST_MARKS; round += 1) chars = withoutSuffix(withoutPrefix(chars, marks), marks);
  return chars.join('');
}

function marksOf(currency: string, locale: string | undefined): readonly string[] {
  const resolved = toNumberLocale(locale);
  const key = `${currency}|${resolved}`;
  const cached = marksCache.get(key);
  if (cached !== undefined) return cached;
  const { code, symbol, kind } = currencyOf(currency);
  const marks = [code, shownCode(code), symbol, ...(FURTHER_MARKS[code] ?? [])];
  if (kind === 'fiat') marks.push(...intlSymbols(code, resolved), ...intlSymbols(code, 'en'));
  if (marks.includes('$')) marks.push(`${code.slice(0, 2)}$`);
  const known = [...new Set(marks.flatMap(spellings))]
    .filter((mark) => mark !== '')
    .sort((a, b) => b.length - a.length);
  marksCache.set(key, known);
  return known;
}

/** A mark may be written without the dot at its end: `Bs.` and `Bs` are the same. */
function spellings(mark: string): string[] {
  const plain = mark.toLowerCase();
  return [plain, plain.replace(/\.$/, '')];
}

function intlSymbols(code: string, locale: string): string[] {
  return (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay })
      .formatToParts(1)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => value),
  );
}

const isLetter = (char: string | undefined) => char !== undefined && /\p{L}/u.test(char);

function withoutPrefix(chars: string[], marks: readonly string[]): string[] {
  const start = chars.findIndex((char) => !isIgnored(char));
  const text = chars.slice(Math.max(start, 0));
  const mark = marks.map((found) => [...found]).find((found) => startsWith(text, found));
  if (mark === undefined) return chars;
  const rest = text.slice(mark.length);
  const isShortForm = isLetter(mark.at(-1)) && rest[0] === '.';
  return isShortForm ? rest.slice(1) : rest;
}

function withoutSuffix(chars: string[], marks: readonly string[]): string[] {
  const end = chars.findLastIndex((char) => !isIgnored(char));
  const text = chars.slice(0, end + 1).reverse();
  const isShortForm = text[0] === '.' && isLetter(text[1]);
  const tail = isShortForm ? text.slice(1) : text;
  const reversed = marks.map((found) => [...found].reverse());
  for (const read of [text, tail]) {
    const mark = reversed.find((found) => startsWith(read, found));
    if (mark !== undefined) return read.slice(mark.length).reverse();
  }
  return chars;
}

/** A mark made of letters must be a whole word: `R` does not match the start of `Rs`. */
function startsWith(text: readonly string[], mark: readonly string[]): boolean {
  if (!mark.every((char, index) => isSame(text[index], char))) return false;
  return !(isLetter(mark.at(-1)) && isLetter(text[mark.length]));
}

/** Ignores letter case and the full-width forms of East Asian keyboards. */
function isSame(typed: string | undefined, char: string): boolean {
  const lower = typed?.toLowerCase();
  return lower === char || lower?.normalize('NFKC') === char;
}
