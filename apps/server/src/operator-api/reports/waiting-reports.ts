/** What a stored report of a provider says, as every list of reports shows it, and the order in which lists of parked ones are read. */
import type { PageQuery } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { momentAndReport, pagedList } from '../../requests/page-cursor.ts';

/** A list of reports that wait, what waits longest first. @param name of the list's cursors */
export const waitingReports = (name: string) => pagedList(name, momentAndReport);
type WaitingList = ReturnType<typeof waitingReports>;

export type PaymentType = 'deposit' | 'withdrawal';

/** What of a report's body is shown; the database keeps amounts as text. */
export interface ToldBody {
  readonly outcome: string;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  readonly providerRef?: string;
  readonly paidMinor?: string;
  readonly currency?: string;
}

/** The provider's name of the payment and the sum that it tells; no sum of a currency whose decimals nobody knows. */
export function toldBy({ providerRef, paidMinor, currency }: ToldBody) {
  const isAmount = paidMinor !== undefined && currency !== undefined && findCurrency(currency) !== undefined;
  return {
    ...(providerRef !== undefined && { reference: providerRef }),
    ...(isAmount && { amount: toDecimalString(BigInt(paidMinor), decimalsOf(currency)) }),
    ...(currency !== undefined && { currency }),
  };
}

/** A report that waits, as the lists read it. */
export interface WaitingRow {
  readonly reportId: string;
  readonly type: PaymentType;
  readonly provider: string;
  readonly eventId: string;
  readonly body: ToldBody;
  readonly why: string;
  readonly since: Date;
  readonly sinceText: string;
  readonly tries: number;
}

export const eventTables = { deposit: 'deposit_event', withdrawal: 'withdrawal_event' } as const;

/** The columns of {@link WaitingRow}, of a table that is called `report`. A report's own name may hold any sign: its id is a hash. */
export const waitingColumns = (type: PaymentType): string => `'${type}' as type, report.provider,
  report.event_id as "eventId", report.body, report.outcome as why, report.received_at as since,
  report.received_at::text as "sinceText", report.tries,
  encode(sha256(convert_to('${type} ' || report.provider || ' ' || report.event_id, 'UTF8')), 'hex') as "reportId"`;

/** What waits longest comes first: of the place $2 and $3, and at most $4. */
export const inOrder = `($2::timestamptz is null or (since, "reportId") > ($2::timestamptz, $3::text))
  order by since, "reportId" limit $4`;

/** The values of {@link inOrder}; one more than asked for, so that it is known whether there is a next page. */
export function placeValues(list: WaitingList, { limit, cursor }: PageQuery): readonly unknown[] {
  const after = list.placeOf(cursor);
  return [after?.at ?? null, after?.report ?? null, limit + 1];
}

/** @param view what the list shows of a row beside what all lists show */
export function pageOfWaiting<Row extends WaitingRow, View>(
  list: WaitingList,
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => View,
) {
  const { page, next } = list.pageOf(rows, limit, (row) => ({ at: row.sinceText, report: row.reportId }));
  return { reports: page.map((row) => ({ ...sharedOf(row), ...view(row) })), ...next };
}

function sharedOf({ reportId, type, provider, eventId, body, why, since, tries }: WaitingRow) {
  const { outcome } = body;
  return { reportId, type, provider, eventId, outcome, why, since: since.toISOString(), tries, ...toldBy(body) };
}
