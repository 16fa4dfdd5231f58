/** Reads a CSV file of a provider by a mapping that is kept as data. */
import { pipeline } from 'node:stream';
import type { CsvMapping } from '@opencashier/contract/operator';
import type { LineKind } from '@opencashier/core/reconciliation/line';
import { CsvError, type Info, parse } from 'csv-parse';
import { cellReader } from './csv-cells.ts';
import { decodeText } from './decode-text.ts';
import { fileFault, type ReadLine } from './read-line.ts';

/** Characters of a record. A longer one is a quote that never ends. */
const LONGEST_RECORD = 100_000;

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

/** Kinds whose amounts leave the operator. */
const LEAVES: readonly LineKind[] = ['refund', 'chargeback', 'payout', 'settlement', 'fee'];

/** @throws DomainError that names line and column */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, mapping: CsvMapping): AsyncGenerator<ReadLine> {
  const parser = parse({
    delimiter: mapping.delimiter === 'tab' ? '\t' : mapping.delimiter,
    from_line: mapping.linesAbove + 1,
    info: true,
    max_record_size: LONGEST_RECORD,
    skip_empty_lines: true,
  });
  let last = '';
  const text = async function* (): AsyncGenerator<string> {
    for await (const chunk of decodeText(bytes, mapping.encoding)) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  };
  // An error of the text reaches the loop below, because the pipeline destroys the parser with it.
  pipeline(text, parser, () => undefined);
  let lineOf: ((record: readonly string[], n: number) => ReadLine | undefined) | undefined;
  let lines = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      lines = info.lines;
      if (lineOf === undefined) {
        lineOf = lineReader(mapping, record, info.lines);
        continue;
      }
      const line = lineOf(record, info.lines);
      if (line !== undefined) yield line;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvFault(error, lines);
  }
  if (lineOf === undefined) throw fileFault({ line: mapping.linesAbove + 1 }, 'The file has no line with headings.');
  if (mapping.endsWithLineBreak && last !== '\n' && last !== '\r') {
    throw fileFault(
      { line: lines },
      'The last line has no line break, so the file may be cut off. Set endsWithLineBreak to false if the provider writes such files.',
    );
  }
}

function csvFault(error: CsvError, known: number): Error {
  const { code } = error;
  const line = typeof error['lines'] === 'number' ? error['lines'] : known;
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' || code === 'CSV_RECORD_INCONSISTENT_COLUMNS') {
    return fileFault({ line }, 'The line has another number of columns than the headings. The file may be cut off.');
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') return fileFault({ line }, 'A quote is not closed. The file may be cut off.');
  return fileFault({ line }, error.message);
}

function lineReader(mapping: CsvMapping, headings: readonly string[], headingLine: number) {
  const cells = cellReader(mapping, headings, headingLine);
  const sign = mapping.sign === 'reversed' ? -1n : 1n;
  const feeSign = mapping.feeSign === 'negative' ? -1n : 1n;
  return (record: readonly string[], n: number): ReadLine | undefined => {
    const kind = cells.kind(record, n);
    if (kind === 'ignore') return undefined;
    const currency = cells.currency(record, n);
    const written = cells.amount(record, n, 'amount', currency);
    const amount = mapping.sign === 'by-kind' ? bySign(kind, written) : sign * written;
    const reference = cells.text(record, 'reference');
    const fee = mapping.columns.fee === undefined ? 0n : feeSign * cells.amount(record, n, 'fee', currency);
    return {
      n,
      kind,
      references: reference === undefined ? [] : [reference],
      ownId: cells.text(record, 'ownId'),
      currency,
      // A fee of its own is a cost without an amount of money before it.
      ...(kind === 'fee' ? { amount: 0n, fee: fee - amount } : { amount, fee }),
      date: cells.date(record, n),
      payee: cells.text(record, 'payee'),
      batch: cells.text(record, 'batch'),
    };
  };
}

function bySign(kind: LineKind, amount: bigint): bigint {
  const size = amount < 0n ? -amount : amount;
  return LEAVES.includes(kind) ? -size : size;
}
