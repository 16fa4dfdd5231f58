/**
 * Lists whose rows are in partitions by month, read back from the newest row. PostgreSQL plans for each partition that it cannot exclude,
 * so a statement for all months costs more with each month. Most pages are full after the first month. The months are searched for the
 * ids alone, and what else a list shows is read from the times of its page.
 */
import type { Queryable, Statement } from '../database/database.ts';

/** Whole months of UTC. */
export interface MonthsBack {
  /** The first moment. */
  readonly since: Date;
  /** The first moment after them; null: no end, so that a row of any later time is found. */
  readonly until: Date | null;
}

interface NewestRows<Row> {
  /** Where the page begins: now, or the time of its cursor. */
  readonly from: Date;
  /** No row of the list is older, by a clock that was right. */
  readonly oldest: Date;
  readonly limit: number;
  /** Rows of the months, newest first. @param limit at most so many */
  readonly read: (months: MonthsBack, limit: number) => Promise<readonly Row[]>;
}

/** Each step back reads so many times the months of the step before: a list with few rows takes four steps for three years. */
const GROWTH = 3;

/** The database's clock may have gone back since the oldest time, such as on another machine after a failover. */
const CLOCK_SLACK_MS = 86_400_000;

/** The newest rows of a list, up to its limit. Reads further back only while rows are missing. */
export async function newestRows<Row>({ from, oldest, limit, read }: NewestRows<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  const end = monthOf(new Date(oldest.getTime() - CLOCK_SLACK_MS));
  let until: Date | null = null;
  let since = monthOf(from);
  for (let months = GROWTH; ; months *= GROWTH) {
    rows.push(...(await read({ since, until }, limit - rows.length)));
    if (rows.length >= limit || since <= end) return rows;
    until = since;
    since = later(monthsBefore(since, months), end);
  }
}

/** A page of an operator's list: its ids alone, newest first. */
interface NewestIds {
  /** The id of the page's cursor. Undefined: the first page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** The ids in some months: from `since` until `until`, as texts of the database. @param limit at most so many */
  readonly statement: (since: string, until: string | null, limit: number) => Statement;
}

/** The newest ids of an operator's list, up to its limit. No row is older than its operator. */
export async function newestIds(
  queryable: Queryable,
  operatorId: string,
  { after, limit, statement }: NewestIds,
): Promise<{ id: string }[]> {
  const [operator] = await queryable.query<{ now: Date; createdAt: Date }>({
    name: 'age-of-operator',
    text: 'select now() as now, created_at as "createdAt" from operator where id = $1',
    values: [operatorId],
  });
  if (operator === undefined) return [];
  return newestRows({
    from: beginOf(after, operator.now),
    oldest: operator.createdAt,
    limit,
    read: ({ since, until }, most) =>
      queryable.query<{ id: string }>(statement(since.toISOString(), until?.toISOString() ?? null, most)),
  });
}

/** Where a page begins: now, or the time of its cursor's id. A cursor may hold any id, also one of a time to come. */
export function beginOf(id: string | undefined, now: Date): Date {
  const time = id === undefined ? now : timeOfId(id);
  return time < now ? time : now;
}

/** The time of an id that begins with its time, in whole ms. */
function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** The times of rows, as the bounds of a statement: from the last row until just after the first one. */
export function timesOf(rows: readonly { readonly id: string }[]): readonly [since: string, until: string] {
  const times = rows.map(({ id }) => timeOfId(id).getTime());
  return [new Date(Math.min(...times)).toISOString(), new Date(Math.max(...times) + 1).toISOString()];
}

/** True for ids of time_id() in the times; no end: null. A plan with the values leaves out all other partitions. */
export function idIn(column: string, since: string, until: string): string {
  return `${column} >= time_id_at(${since}::timestamptz) and (${until}::timestamptz is null or ${column} < time_id_at(${until}::timestamptz))`;
}

function monthOf(time: Date): Date {
  return monthsBefore(time, 0);
}

function monthsBefore(time: Date, months: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months));
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
