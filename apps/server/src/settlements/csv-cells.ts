/** Reads single cells of a CSV file, each by its column of the mapping. */
import type { CsvMapping } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency, paidDecimals } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { boundedAmount, dayOf, fileFault, keptText, type Place } from './read-line.ts';

type Column = keyof CsvMapping['columns'];
type Kind = NonNullable<CsvMapping['kind']>;

const DATES: Readonly<Record<Exclude<CsvMapping['dateForm'], 'unix'>, RegExp>> = {
  'yyyy-mm-dd': /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?:[T ].*)?$/,
  'dd.mm.yyyy': /^(?<d>\d{2})\.(?<m>\d{2})\.(?<y>\d{4})(?: .*)?$/,
  'dd/mm/yyyy': /^(?<d>\d{2})\/(?<m>\d{2})\/(?<y>\d{4})(?: .*)?$/,
  'mm/dd/yyyy': /^(?<m>\d{2})\/(?<d>\d{2})\/(?<y>\d{4})(?: .*)?$/,
  yyyymmdd: /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
};

/** Files write spaces of several widths between thousands. */
const GROUPS: Readonly<Record<NonNullable<CsvMapping['groupSeparator']>, RegExp>> = {
  ',': /,/g,
  '.': /\./g,
  space: /\s/g,
  apostrophe: /['’]/g,
};

/** Groups of three digits, in India also of two, and never after a zero. The mark `_` stands for what separates them. */
const GROUPED = /^[+-]?_*(?:[1-9]\d{0,2}(?:_\d{2,3})*_\d{3}|\d+)(?:[.,]\d*)?$/;

type Row = readonly string[];

export interface CellReader {
  text(record: Row, column: Column): string | undefined;
  kind(record: Row, n: number): Kind;
  currency(record: Row, n: number): string;
  /** Minor units. An empty fee is 0. */
  amount(record: Row, n: number, column: 'amount' | 'fee', currency: string): bigint;
  date(record: Row, n: number): string;
}

/** @throws DomainError for a heading that the file does not have; later for each cell that cannot be read */
export function cellReader(mapping: CsvMapping, headings: Row, headingLine: number): CellReader {
  const trimmed = headings.map((heading) => heading.trim());
  const places = new Map<Column, number>();
  for (const [column, heading] of Object.entries(mapping.columns)) {
    if (heading === undefined) continue;
    const at = trimmed.indexOf(heading);
    if (at === -1) {
      const message = `There is no column "${heading}" (${column}). The file has: ${trimmed.join(', ').slice(0, 300)}.`;
      throw fileFault({ line: headingLine }, message);
    }
    places.set(column as Column, at);
  }
  const cell = (record: Row, column: Column): string => record[places.get(column) ?? -1]?.trim() ?? '';
  const placeOf = (n: number, column: Column): Place => ({
    line: n,
    column: (places.get(column) ?? 0) + 1,
    name: mapping.columns[column],
  });
  return {
    text: (record, column) => keptText(cell(record, column)),
    kind(record, n) {
      if (!places.has('kind')) return mapping.kind ?? 'payment';
      const word = cell(record, 'kind');
      const kind = Object.hasOwn(mapping.kinds, word) ? mapping.kinds[word] : undefined;
      if (kind !== undefined) return kind;
      throw fileFault(placeOf(n, 'kind'), `The mapping does not say what "${word.slice(0, 60)}" is. Add it to kinds.`);
    },
    currency(record, n) {
      const code = (places.has('currency') ? cell(record, 'currency') : (mapping.currency ?? '')).toUpperCase();
      if (findCurrency(code) !== undefined) return code;
      throw fileFault(placeOf(n, 'currency'), `"${code.slice(0, 20)}" is no currency that the cashier knows.`);
    },
    amount(record, n, column, currency) {
      const text = cell(record, column);
      if (text === '' && column === 'fee') return 0n;
      const minor = minorOf(text, mapping, currency);
      if (minor === undefined)
        throw fileFault(
          placeOf(n, column),
          `"${text.slice(0, 40)}" is no amount of this mapping. Compare its decimalSeparator, groupSeparator and unit with the file.`,
        );
      return boundedAmount(minor, placeOf(n, column));
    },
    date(record, n) {
      const text = cell(record, 'date');
      const day = dateOf(text, mapping.dateForm);
      if (day !== undefined) return day;
      throw fileFault(placeOf(n, 'date'), `"${text.slice(0, 40)}" is no date of the form ${mapping.dateForm}.`);
    },
  };
}

function minorOf(text: string, mapping: CsvMapping, currency: string): bigint | undefined {
  const { decimalSeparator, groupSeparator, unit } = mapping;
  // "25.05" would become 2505 in a mapping that reads "1.234,50".
  if (groupSeparator !== undefined && !isGrouped(text, groupSeparator)) return undefined;
  let plain = groupSeparator === undefined ? text : text.replaceAll(GROUPS[groupSeparator], '');
  if (decimalSeparator === ',') {
    if (plain.includes('.')) return undefined;
    plain = plain.replace(',', '.');
  }
  const match = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(plain);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const canonical = `${sign === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const read = parseDecimal(canonical, unit === 'minor' ? 0 : decimalsOf(currency), { signed: true });
  if (!read.ok) return undefined;
  return unit === 'minor' ? fromPaidUnits(read.minor, currency) : read.minor;
}

function isGrouped(text: string, separator: keyof typeof GROUPS): boolean {
  return !text.includes('_') && GROUPED.test(text.replaceAll(GROUPS[separator], '_'));
}

/** Providers count yen in whole units and dinars in thousandths, and the ledger counts both in hundredths. */
function fromPaidUnits(amount: bigint, currency: string): bigint | undefined {
  const more = decimalsOf(currency) - paidDecimals(currency);
  if (more >= 0) return amount * 10n ** BigInt(more);
  const size = 10n ** BigInt(-more);
  return amount % size === 0n ? amount / size : undefined;
}

function dateOf(text: string, form: CsvMapping['dateForm']): string | undefined {
  if (form === 'unix') {
    return /^\d{9,10}$/.test(text) ? new Date(Number(text) * 1000).toISOString().slice(0, 10) : undefined;
  }
  const { y, m, d } = DATES[form].exec(text)?.groups ?? {};
  return y === undefined || m === undefined || d === undefined ? undefined : dayOf(y, m, d);
}
