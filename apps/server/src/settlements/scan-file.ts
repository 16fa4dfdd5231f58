/** The first reading of a file: it checks everything, and keeps only sums. */
import { createHash } from 'node:crypto';
import type { SettlementMapping } from '@opencashier/contract/operator';
import { dayAfter, daysBetween } from '@opencashier/core/reconciliation/line';
import type { Queryable } from '../database/database.ts';
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
  /** The number of the first line with the last day. */
  readonly lastDayAt: number;
  readonly format: SettlementMapping['format'];
  readonly totals: readonly CurrencyTotal[];
}

/** More lines than this are more than one file. */
const MOST_LINES = 5_000_000;
/** A file of more days has another form of dates than its mapping says. */
const MOST_DAYS = 1_100;
/** Some files date a sum by the day on which it will arrive. */
const MOST_DAYS_AHEAD = 31;

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
  let lastDayAt = 1;
  // A statement without a line that counts says as well that nothing was paid until its day.
  const count = (day: string, n: number): void => {
    if (day < firstDay) firstDay = day;
    if (day <= lastDay) return;
    lastDay = day;
    lastDayAt = n;
  };
  for await (const { n, currency, amount, fee, date } of readLines(hashed(), mapping, count)) {
    lines += 1;
    if (lines > MOST_LINES) throw fileFault({ line: n }, `A file has at most ${MOST_LINES} lines. Split it.`);
    const total = totals.get(currency) ?? { amount: 0n, fees: 0n };
    total.amount += amount;
    total.fees += fee;
    totals.set(currency, total);
    count(date, n);
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
    lastDayAt,
    format: mapping.format,
    totals: [...totals].map(([currency, total]) => ({ currency, ...total })),
  };
}

/**
 * Refuses a file that reaches far ahead. It would answer for days that have not come, so that each payment of those days is missing at once.
 * @throws DomainError that names the line
 */
export async function refuseDaysAhead(
  queryable: Queryable,
  { lastDay, lastDayAt, format }: Pick<Scan, 'lastDay' | 'lastDayAt' | 'format'>,
): Promise<void> {
  const [now] = await queryable.query<{ today: string }>({
    name: 'settlement-today',
    text: `select (now() at time zone 'UTC')::date::text as today`,
  });
  if (now === undefined || lastDay <= dayAfter(now.today, MOST_DAYS_AHEAD)) return;
  // A statement has no columns, and its mapping names no date.
  const advice =
    format === 'csv'
      ? 'Does the mapping read the right column, in the right form?'
      : 'A statement is about days that have come. Ask the bank for a right one.';
  throw fileFault({ line: lastDayAt }, `The day ${lastDay} is more than ${MOST_DAYS_AHEAD} days ahead. ${advice}`);
}
