/** The first reading of a file: it checks everything, and keeps only sums. */
import { createHash } from 'node:crypto';
import type { SettlementMapping } from '@opencashier/contract/operator';
import { daysBetween } from '@opencashier/core/reconciliation/line';
import { readCamt } from './read-camt.ts';
import { readCsv } from './read-csv.ts';
import { fileFault, type OnClosed, type OpenFile, type ReadLine } from './read-line.ts';
import { readMt940 } from './read-mt940.ts';

export interface CurrencyTotal {
  readonly currency: string;
  readonly amount: bigint;
  readonly fees: bigint;
}

export interface Scan {
  readonly hash: Buffer;
  readonly lines: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly totals: readonly CurrencyTotal[];
}

/** More lines than this are more than one file. */
const MOST_LINES = 5_000_000;
/** A file of more days has another form of dates than its mapping says. */
const MOST_DAYS = 1_100;

/**
 * The lines of a file in its own format.
 * @param onClosed only of a statement
 * @throws DomainError that names line and column
 */
export function readLines(
  bytes: AsyncIterable<Uint8Array>,
  mapping: SettlementMapping,
  onClosed: OnClosed = () => undefined,
): AsyncIterable<ReadLine> {
  switch (mapping.format) {
    case 'csv':
      return readCsv(bytes, mapping);
    case 'camt.053':
      return readCamt(bytes, mapping, onClosed);
    case 'mt940':
      return readMt940(bytes, mapping, onClosed);
  }
}

/** Reads the whole file. @throws DomainError for a file that is wrong, incomplete or empty */
export async function scanFile(open: OpenFile, mapping: SettlementMapping): Promise<Scan> {
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of open()) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const totals = new Map<string, { amount: bigint; fees: bigint }>();
  let lines = 0;
  let firstDay = '9999-12-31';
  let lastDay = '';
  // A statement without a line that counts says as well that nothing was paid until its day.
  const count = (day: string): void => {
    if (day < firstDay) firstDay = day;
    if (day > lastDay) lastDay = day;
  };
  for await (const { n, currency, amount, fee, date } of readLines(hashed(), mapping, count)) {
    lines += 1;
    if (lines > MOST_LINES) throw fileFault({ line: n }, `A file has at most ${MOST_LINES} lines. Split it.`);
    const total = totals.get(currency) ?? { amount: 0n, fees: 0n };
    total.amount += amount;
    total.fees += fee;
    totals.set(currency, total);
    count(date);
  }
  if (lastDay === '') throw fileFault({ line: 1 }, 'The file has no lines.');
  if (daysBetween(firstDay, lastDay) > MOST_DAYS) {
    throw fileFault(
      { line: 1 },
      `The days of the lines go from ${firstDay} to ${lastDay}. A file has at most ${MOST_DAYS} days.`,
    );
  }
  return {
    hash: hash.digest(),
    lines,
    firstDay,
    lastDay,
    totals: [...totals].map(([currency, total]) => ({ currency, ...total })),
  };
}
