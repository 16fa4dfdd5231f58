/** Reads a statement of a bank in SWIFT MT940. The format is small and no library of it is kept, so the parser is our own. */
import type { StatementMapping } from '@opencashier/contract/operator';
import { decodeText } from './decode-text.ts';
import { dayOf, fileFault, type OnClosed, type Place, type ReadLine } from './read-line.ts';
import { lineOfEntry, proveStatement, type StatementEntry, statementAmount } from './statement-line.ts';

/** Characters of one line. SWIFT has 65. */
const LONGEST_LINE = 2_000;
const BALANCE = /^(?<mark>[CD])(?<date>\d{6})(?<currency>[A-Z]{3})(?<amount>\d+,\d*)$/;
const ENTRY =
  /^(?<date>\d{6})(?:\d{4})?(?<mark>R?[CD]|E[CD])[A-Z]?(?<amount>\d+,\d*)[A-Z][A-Z0-9]{3}(?<reference>.{0,16}?)(?:\/\/(?<bank>.{0,34}))?$/;
/** Fields that banks put into the text: `?32` and `?33` hold the name of the other side. */
const SUBFIELD = /\?(\d{2})/;

interface Field {
  readonly tag: string;
  readonly n: number;
  value: string;
}

/** @throws DomainError that names the line */
export async function* readMt940(
  bytes: AsyncIterable<Uint8Array>,
  mapping: StatementMapping,
  onClosed: OnClosed,
): AsyncGenerator<ReadLine> {
  const reader = statementReader(mapping, onClosed);
  let field: Field | undefined;
  for await (const { text, n } of linesOf(bytes, mapping.encoding)) {
    const tag = /^:(\d{2}[A-Z]?):(.*)$/.exec(text);
    const isEnd = text === '-' || text === '-}' || text.startsWith('{');
    if (tag === null && !isEnd) {
      if (field === undefined && text.trim() !== '') {
        throw fileFault({ line: n }, 'The line belongs to no field. An MT940 file begins with a field such as :20:.');
      }
      if (field !== undefined) field.value += `\n${text}`;
      continue;
    }
    if (field !== undefined) yield* reader.take(field);
    field = tag === null ? undefined : { tag: tag[1] ?? '', n, value: tag[2] ?? '' };
  }
  if (field !== undefined) yield* reader.take(field);
  yield* reader.end();
}

async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<{ text: string; n: number }> {
  let rest = '';
  let n = 0;
  for await (const chunk of decodeText(bytes, encoding)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw fileFault({ line: n + 1 }, 'The line is too long for an MT940 file.');
    for (const text of lines) {
      n += 1;
      yield { text: text.replace(/\r$/, ''), n };
    }
  }
  if (rest !== '') yield { text: rest, n: n + 1 };
}

function statementReader(mapping: StatementMapping, onClosed: OnClosed) {
  let statements = 0;
  let opening: { readonly amount: bigint; readonly currency: string } | undefined;
  let sum = 0n;
  let waiting: StatementEntry | undefined;
  let last: Place = { line: 1 };
  const flush = function* (): Generator<ReadLine> {
    const line = waiting && lineOfEntry(waiting, mapping);
    waiting = undefined;
    if (line !== undefined) yield line;
  };
  return {
    *take({ tag, n, value }: Field): Generator<ReadLine> {
      last = { line: n, name: `:${tag}:` };
      if (tag === '86') {
        // The text belongs to the entry above it. After the closing balance it is about the whole statement.
        if (waiting !== undefined) waiting = withText(waiting, value);
        return;
      }
      yield* flush();
      if (tag === '60F' || tag === '60M') {
        opening = balanceOf(value, last);
        sum = 0n;
      } else if (tag === '61') {
        if (opening === undefined) throw fileFault(last, 'The entry comes before the opening balance (:60F:).');
        waiting = entryOf(value, opening.currency, last);
        sum += waiting.amount;
      } else if (tag === '62F' || tag === '62M') {
        const closing = balanceOf(value, last);
        proveStatement({ currency: closing.currency, opening: opening?.amount, closing: closing.amount, sum }, last);
        onClosed(closing.day, n);
        opening = undefined;
        statements += 1;
      }
    },
    *end(): Generator<ReadLine> {
      yield* flush();
      if (opening !== undefined)
        throw fileFault(last, 'The statement has no closing balance (:62F:). The file may be cut off.');
      if (statements === 0) throw fileFault({ line: 1 }, 'The file has no statement.');
    },
  };
}

function balanceOf(value: string, place: Place) {
  const { mark, date = '', currency = '', amount = '' } = BALANCE.exec(value.trim())?.groups ?? {};
  const day = shortDayOf(date);
  if (mark === undefined || day === undefined)
    throw fileFault(place, 'The balance cannot be read. It has a form such as C260131EUR1234,56.');
  const size = statementAmount(amount.replace(',', '.'), currency, place);
  return { amount: mark === 'D' ? -size : size, currency, day };
}

/** @param date such as `260131` */
function shortDayOf(date: string): string | undefined {
  return dayOf(`20${date.slice(0, 2)}`, date.slice(2, 4), date.slice(4, 6));
}

function entryOf(value: string, currency: string, place: Place): StatementEntry {
  const [first = '', ...supplementary] = value.split('\n');
  const { date = '', mark, amount = '', reference = '', bank = '' } = ENTRY.exec(first)?.groups ?? {};
  const day = shortDayOf(date);
  if (mark === undefined || day === undefined) {
    throw fileFault(place, 'The entry cannot be read. It has a form such as 2601310131C1234,56NTRFREFERENCE.');
  }
  const size = statementAmount(amount.replace(',', '.'), currency, place);
  // RC takes a credit back, and RD a debit.
  const isCredit = mark === 'C' || mark === 'RD' || mark === 'EC';
  return {
    n: place.line,
    currency,
    amount: isCredit ? size : -size,
    date: day,
    references: [reference, bank].filter((one) => one !== '' && one !== 'NONREF'),
    text: supplementary.join(' '),
  };
}

/** Lines of a text are cut at 65 characters, also within a word. So words are looked for in both readings. */
function withText(entry: StatementEntry, value: string): StatementEntry {
  const [head = '', ...parts] = value.replaceAll('\n', '').split(SUBFIELD);
  const subfields = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) subfields.set(parts[at] ?? '', parts[at + 1] ?? '');
  const payee = ['32', '33']
    .map((code) => subfields.get(code) ?? '')
    .join('')
    .trim();
  const joined = [head, ...[...subfields].filter(([code]) => code !== '32' && code !== '33').map(([, part]) => part)];
  const cut = value.includes('\n') ? value.replaceAll('\n', ' ').replaceAll(/\?\d{2}/g, ' ') : '';
  // A reference that is longer than one subfield goes on in the next.
  const purpose = [...subfields]
    .filter(([code]) => code >= '20' && code <= '29')
    .map(([, part]) => part)
    .join('');
  return { ...entry, text: [entry.text, ...joined, purpose, cut].join(' ').trim(), ...(payee !== '' && { payee }) };
}
