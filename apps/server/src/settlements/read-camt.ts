/** Reads a statement of a bank in ISO 20022 camt.053, element by element, so that a long statement needs no memory. */
import type { StatementMapping } from '@opencashier/contract/operator';
import sax from 'sax';
import { counted } from '../languages/counted.ts';
import { decodeText } from './decode-text.ts';
import { dayOf, fileFault, type OnClosed, type Place, type ReadLine } from './read-line.ts';
import { lineOfEntry, proveStatement, type StatementEntry, statementAmount } from './statement-line.ts';

/** Characters of one text. A longer one is no field of a statement. */
const LONGEST_TEXT = 10_000;

interface EntryParts {
  readonly n: number;
  amount?: string;
  currency?: string;
  isCredit?: boolean;
  isBooked?: boolean;
  booked?: string;
  valued?: string;
  readonly references: string[];
  readonly words: string[];
  debtor?: string;
  creditor?: string;
}

interface Balance {
  code?: string;
  day?: string;
  amount?: string;
  currency?: string;
  isCredit?: boolean;
}

interface StatementParts {
  currency: string;
  opening?: bigint;
  closing?: bigint;
  /** The day of the closing balance. */
  closed?: string | undefined;
  /** The line of the closing balance. */
  closedAt?: number;
  sum: bigint;
  count: number;
  /** How many entries the statement says it has. */
  wantedCount?: number;
  wantedSum?: string;
  total: bigint;
}

/** @throws DomainError that names the line, for XML that is broken or cut off, and for sums that do not agree */
export async function* readCamt(
  bytes: AsyncIterable<Uint8Array>,
  mapping: StatementMapping,
  onClosed: OnClosed = () => undefined,
): AsyncGenerator<ReadLine> {
  const parser = sax.parser(true, { position: true });
  const place = (name?: string): Place => ({ line: parser.line + 1, column: parser.column + 1, name });
  const reader = statementReader(mapping, place, onClosed);
  let failed: Error | undefined;
  const guarded =
    <Args extends unknown[]>(work: (...args: Args) => void) =>
    (...args: Args): void => {
      if (failed === undefined) work(...args);
    };
  parser.onerror = (error) => {
    failed ??= fileFault(place(), `The XML is broken or cut off: ${error.message.split('\n')[0]}`);
    parser.resume();
  };
  parser.onopentag = guarded(({ name, attributes }) => reader.open(localName(name), attributes));
  parser.ontext = guarded((text) => reader.text(text));
  parser.oncdata = guarded((text) => reader.text(text));
  parser.onclosetag = guarded((name) => reader.close(localName(name)));
  parser.ondoctype = () => {
    failed ??= fileFault(place(), 'A statement has no document type. The file is refused.');
  };
  for await (const text of decodeText(bytes, mapping.encoding)) {
    parser.write(text);
    if (failed !== undefined) throw failed;
    yield* reader.take();
  }
  parser.close();
  if (failed !== undefined) throw failed;
  yield* reader.take();
  if (reader.statements() === 0) throw fileFault({ line: 1 }, 'The file has no statement (BkToCstmrStmt/Stmt).');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Follows the elements of a statement. */
function statementReader(mapping: StatementMapping, place: (name?: string) => Place, onClosed: OnClosed) {
  const path: string[] = [];
  const lines: ReadLine[] = [];
  let statements = 0;
  let text = '';
  let currencyOfElement: string | undefined;
  let statement: StatementParts | undefined;
  let entry: EntryParts | undefined;
  let balance: Balance | undefined;
  return {
    statements: () => statements,
    take: () => lines.splice(0),
    open(name: string, attributes: Readonly<Record<string, unknown>>): void {
      path.push(name);
      text = '';
      if (typeof attributes['Ccy'] === 'string') currencyOfElement = attributes['Ccy'];
      if (name === 'Stmt') statement = { currency: '', sum: 0n, total: 0n, count: 0 };
      if (name === 'Ntry' && statement !== undefined) entry = { n: place().line, references: [], words: [] };
      if (name === 'Bal' && entry === undefined) balance = {};
    },
    text(more: string): void {
      if (text.length < LONGEST_TEXT) text += more;
    },
    close(name: string): void {
      const value = text.trim();
      text = '';
      if (entry !== undefined) readEntryField(entry, path, value, currencyOfElement);
      else if (balance !== undefined) readBalanceField(balance, path, value, currencyOfElement);
      else if (statement !== undefined) readSummaryField(statement, path, value);
      path.pop();
      if (statement === undefined) return;
      if (name === 'Ntry' && entry !== undefined) {
        const read = entryOf(entry, place);
        entry = undefined;
        countEntry(statement, read);
        const line = read.isBooked ? lineOfEntry(read, mapping) : undefined;
        if (line !== undefined) lines.push(line);
      }
      if (name === 'Bal' && balance !== undefined) {
        keepBalance(statement, balance, place('Bal'));
        balance = undefined;
      }
      if (name === 'Stmt') {
        proveParts(statement, place('Stmt'));
        if (statement.closed !== undefined) onClosed(statement.closed, statement.closedAt ?? 1);
        statements += 1;
        statement = undefined;
      }
    },
  };
}

function endsWith(path: readonly string[], ...names: readonly string[]): boolean {
  return names.every((name, at) => path.at(at - names.length) === name);
}

function readEntryField(entry: EntryParts, path: readonly string[], value: string, currency: string | undefined): void {
  if (value === '') return;
  if (endsWith(path, 'Ntry', 'Amt')) Object.assign(entry, { amount: value, currency });
  else if (endsWith(path, 'Ntry', 'CdtDbtInd')) entry.isCredit = value === 'CRDT';
  else if (endsWith(path, 'Ntry', 'Sts') || endsWith(path, 'Ntry', 'Sts', 'Cd')) entry.isBooked = value === 'BOOK';
  else if (path.includes('BookgDt')) entry.booked = value.slice(0, 10);
  else if (path.includes('ValDt')) entry.valued = value.slice(0, 10);
  else if (path.at(-2) === 'Refs' && value !== 'NOTPROVIDED') entry.references.push(value);
  else if (endsWith(path, 'Ntry', 'AcctSvcrRef') || endsWith(path, 'Ntry', 'NtryRef')) entry.references.push(value);
  else if (path.includes('RmtInf') || path.at(-1) === 'AddtlNtryInf' || path.at(-1) === 'AddtlTxInf')
    entry.words.push(value);
  else if (path.at(-1) === 'Nm' && path.includes('Dbtr')) entry.debtor ??= value;
  else if (path.at(-1) === 'Nm' && path.includes('Cdtr')) entry.creditor ??= value;
}

function entryOf(entry: EntryParts, place: (name?: string) => Place): StatementEntry & { readonly isBooked: boolean } {
  const { n, amount, currency, isCredit, isBooked = true, booked, valued, references, words, debtor, creditor } = entry;
  if (amount === undefined || currency === undefined || isCredit === undefined) {
    throw fileFault({ line: n, name: 'Ntry' }, 'The entry has no amount, no currency or no direction (CdtDbtInd).');
  }
  const date = dayOfText(booked ?? valued);
  if (date === undefined) throw fileFault({ line: n, name: 'Ntry/BookgDt' }, 'The entry has no date of the calendar.');
  const size = statementAmount(amount, currency, place('Ntry/Amt'));
  return {
    n,
    currency,
    amount: isCredit ? size : -size,
    date,
    references,
    text: words.join(' '),
    payee: isCredit ? debtor : creditor,
    isBooked,
  };
}

/** @param text such as `2026-01-31` */
function dayOfText(text = ''): string | undefined {
  const [year = '', month = '', day = ''] = text.split('-');
  return dayOf(year, month, day);
}

function countEntry(statement: StatementParts, { isBooked, amount }: { isBooked: boolean; amount: bigint }): void {
  statement.count += 1;
  statement.total += amount < 0n ? -amount : amount;
  // An entry that is not booked yet is no part of the closing balance.
  if (isBooked) statement.sum += amount;
}

function readBalanceField(
  balance: Balance,
  path: readonly string[],
  value: string,
  currency: string | undefined,
): void {
  if (value === '') return;
  if (path.includes('CdOrPrtry')) balance.code = value;
  else if (endsWith(path, 'Bal', 'Amt')) Object.assign(balance, { amount: value, currency });
  else if (endsWith(path, 'Bal', 'CdtDbtInd')) balance.isCredit = value === 'CRDT';
  else if (endsWith(path, 'Bal', 'Dt', 'Dt') || endsWith(path, 'Bal', 'Dt', 'DtTm')) balance.day = value.slice(0, 10);
}

function keepBalance(statement: StatementParts, balance: Balance, place: Place): void {
  const { code, amount, currency, isCredit, day } = balance;
  if (amount === undefined || currency === undefined || (code !== 'OPBD' && code !== 'PRCD' && code !== 'CLBD')) return;
  const size = statementAmount(amount, currency, place);
  statement.currency = currency;
  if (code === 'CLBD') {
    statement.closing = isCredit === false ? -size : size;
    statement.closed = dayOfText(day);
    statement.closedAt = place.line;
  } else if (code === 'OPBD' || statement.opening === undefined) statement.opening = isCredit === false ? -size : size;
}

function readSummaryField(statement: StatementParts, path: readonly string[], value: string): void {
  if (endsWith(path, 'TtlNtries', 'NbOfNtries')) statement.wantedCount = Number(value);
  if (endsWith(path, 'TtlNtries', 'Sum')) statement.wantedSum = value;
}

function proveParts(statement: StatementParts, place: Place): void {
  const { currency, opening, closing, sum, count, wantedCount, wantedSum, total } = statement;
  if (wantedCount !== undefined && wantedCount !== count) {
    throw fileFault(
      place,
      `The statement says that it has ${counted(wantedCount, 'entry')}, but the file has ${count}.`,
    );
  }
  proveStatement({ currency, opening, closing, sum }, place);
  if (wantedSum !== undefined && statementAmount(wantedSum, currency, place) !== total) {
    throw fileFault(place, `The statement says that its entries sum to ${wantedSum}, but the file has another sum.`);
  }
}
