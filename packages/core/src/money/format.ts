import { currencyOf, decimalsOf } from './currencies.ts';
import { type Money, parseDecimal, toDecimalString } from './money.ts';
import { toNumberLocale } from './number-locale.ts';

/** Options of a formatted amount. */
export interface FormatOptions {
  /** Leaves out the decimals of a whole amount: `₹500` in a hint. Off by default. */
  readonly trimWhole?: boolean;
  /**
   * Wraps the result in invisible direction isolates (U+2068, U+2069), for an amount inside a sentence of another direction.
   * Do not use it for text that is copied.
   */
  readonly isolate?: boolean;
}

const NO_BREAK_SPACE = '\u00a0';
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';
const LEFT_TO_RIGHT_MARK = '\u200e';

/** A crypto amount shows at least these decimals, and up to 8 when the further digits are not zero. */
const MIN_CRYPTO_DECIMALS = 2;

const formats = new Map<string, Intl.NumberFormat>();

/** Formatters are cached, because creating an Intl object is slow and a list of methods formats dozens of amounts. */
function numberFormat(locale: string, minDecimals: number, maxDecimals: number): Intl.NumberFormat {
  const key = `${locale}|${minDecimals}|${maxDecimals}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: minDecimals, maximumFractionDigits: maxDecimals });
    formats.set(key, format);
  }
  return format;
}

/**
 * Writes a canonical decimal string with a locale's digits, grouping and separator, without a currency.
 * Exact for any length, because Intl receives the string and not a number.
 */
export function formatDecimal(
  decimal: string,
  locale: string | undefined,
  minDecimals: number,
  maxDecimals: number,
): string {
  // The declared type of `format` requires a numeric literal. Every canonical decimal string is one.
  return numberFormat(toNumberLocale(locale), minDecimals, maxDecimals).format(decimal as `${number}`);
}

/** Writes an amount without its symbol: `1,500.00`. */
export function formatNumber(money: Money, locale: string | undefined, options: FormatOptions = {}): string {
  const { decimals, kind } = currencyOf(money.currency);
  const decimal = toDecimalString(money.minor, decimals);
  const isWhole = money.minor % 10n ** BigInt(decimals) === 0n;
  const usual = kind === 'crypto' ? MIN_CRYPTO_DECIMALS : decimals;
  return formatDecimal(decimal, locale, options.trimWhole === true && isWhole ? 0 : usual, decimals);
}

interface SymbolPlace {
  readonly isPrefix: boolean;
  readonly gap: string;
  /** Invisible marks before a minus: `\u200f\u200e` in Arabic, `\u200e` in Urdu, none in left-to-right scripts. */
  readonly lead: string;
}

const places = new Map<string, SymbolPlace>();

/** The places of currency symbol and minus in a locale, read from Intl with a currency that Intl certainly knows. */
function symbolPlace(locale: string): SymbolPlace {
  const cached = places.get(locale);
  if (cached !== undefined) return cached;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
  const parts = format.formatToParts(1);
  const sign = parts.findIndex(({ type }) => type === 'currency');
  const number = parts.findIndex(({ type }) => type === 'integer');
  const between = parts.slice(Math.min(sign, number) + 1, Math.max(sign, number));
  const hasGap = between.some(({ type, value }) => type === 'literal' && /\s/u.test(value));
  const [first] = format.formatToParts(-1);
  const lead = first?.type === 'literal' ? first.value : '';
  const place = { isPrefix: sign < number, gap: hasGap ? NO_BREAK_SPACE : '', lead };
  places.set(locale, place);
  return place;
}

/**
 * Writes an amount with the symbol of our own table (AMT-9): `$1,500.00`, `1.500,00 €`, `125.00 USDT`.
 * Intl alone is not enough, because it throws on USDT.
 * A symbol made of letters never touches the digits. A crypto code follows the number in every locale.
 * In right-to-left locales a leading mark keeps the symbol where Intl puts it, whatever text surrounds the amount (UI-2).
 */
export function formatMoney(money: Money, locale: string | undefined, options: FormatOptions = {}): string {
  const { symbol, kind } = currencyOf(money.currency);
  const resolved = toNumberLocale(locale);
  const number = formatNumber({ currency: money.currency, minor: absolute(money.minor) }, resolved, options);
  const { isPrefix, gap, lead } = symbolPlace(resolved);
  const sign = money.minor < 0n ? `${lead}-` : lead.slice(0, 1);
  const isBefore = kind === 'fiat' && isPrefix;
  const edge = isBefore ? symbol.at(-1) : symbol.at(0);
  const space = gap === '' && /\p{L}/u.test(edge ?? '') ? NO_BREAK_SPACE : gap;
  // In Arabic, a final `R$` would look like `$R`, because `$` follows the direction of the text around it.
  const mark = lead !== '' && /\p{L}/u.test(symbol) ? LEFT_TO_RIGHT_MARK : '';
  const text = isBefore
    ? `${sign}${symbol}${space}${number}`
    : `${sign}${number}${kind === 'fiat' ? space : NO_BREAK_SPACE}${mark}${symbol}${mark}`;
  return options.isolate === true ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

/** Formats a decimal string of the wire and its currency. Undefined when the string is not canonical. */
export function formatWireAmount(
  amount: { readonly amount: string; readonly currency: string },
  locale: string | undefined,
  options: FormatOptions = {},
): string | undefined {
  const parsed = parseDecimal(amount.amount, decimalsOf(amount.currency), { signed: true });
  if (!parsed.ok) return undefined;
  return formatMoney({ currency: amount.currency, minor: parsed.minor }, locale, options);
}

function absolute(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
