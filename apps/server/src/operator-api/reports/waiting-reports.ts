/** What the lists of parked and of unmatched reports share: the fields of a row, the order, and the pages. */
import type { PageQuery, ReportedOutcome } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { momentAndReport, pagedList } from '../../requests/page-cursor.ts';

/** The cursors of a list of waiting reports, the longest waiting first. @param name of the list */
export const waitingReports = (name: string) => pagedList(name, momentAndReport);
type WaitingList = ReturnType<typeof waitingReports>;

export type PaymentType = 'deposit' | 'withdrawal';

/** The fields of a report's body that the lists use. The database stores amounts as text. */
export interface ToldBody {
  readonly outcome: ReportedOutcome;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  readonly providerRef?: string;
  readonly paidMinor?: string;
  readonly currency?: string;
}

/** The provider's reference and the reported amount. Without an amount if the currency, and so its decimals, is unknown. */
export function toldBy({ providerRef, paidMinor, currency }: ToldBody) {
  const isAmount = paidMinor !== undefined && currency !== undefined && findCurrency(currency) !== undefined;
  return {
    ...(providerRef !== undefined && { reference: providerRef }),
    ...(isAmount && { amount: toDecimalString(BigInt(paidMinor), decimalsOf(currency)) }),
    ...(currency !== undefined && { currency }),
  };
}

/** A waiting report, as the lists read it. */
export interface WaitingRow {
  readonly reportId: string;
  readonly type: PaymentType;
  readonly provider: string;
  readonly eventId: string;
  readonly body: ToldBody;
  readonly reason: string;
  readonly since: Date;
  readonly sinceText: string;
  readonly attempts: number;
}

export const eventTables = { deposit: 'deposit_event', withdrawal: 'withdrawal_event' } as const;

/**
 * The columns of {@link WaitingRow}, from a table with the alias `report`. The provider's event id may contain any character, so the
 * id of a report is a hash.
 */
export const waitingColumns = (type: PaymentType): string => `'${type}' as type, report.provider,
  report.event_id as "eventId", report.body, report.outcome as reason, report.received_at as since,
  report.received_at::text as "sinceText", report.tries as attempts,
  encode(sha256(convert_to('${type} ' || report.provider || ' ' || report.event_id, 'UTF8')), 'hex') as "reportId"`;

/** The condition and the order of a page. $2 and $3 are the last row of the page before, $4 the most rows. */
export const inOrder = `($2::timestamptz is null or (since, "reportId") > ($2::timestamptz, $3::text))
  order by since, "reportId" limit $4`;

/** The values of {@link inOrder}. It reads one row more than the page has, which tells whether there is a next page. */
export function placeValues(list: WaitingList, { limit, cursor }: PageQuery): readonly unknown[] {
  const after = list.placeOf(cursor);
  return [after?.at ?? null, after?.report ?? null, limit + 1];
}

/** @param view the fields of a row that only this list shows */
export function pageOfWaiting<Row extends WaitingRow, View>(
  list: WaitingList,
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => View,
) {
  const { page, next } = list.pageOf(rows, limit, (row) => ({ at: row.sinceText, report: row.reportId }));
  return { reports: page.map((row) => ({ ...sharedOf(row), ...view(row) })), ...next };
}

function sharedOf({ reportId, type, provider, eventId, body, reason, since, attempts }: WaitingRow) {
  const { outcome } = body;
  return { reportId, type, provider, eventId, outcome, reason, since: since.toISOString(), attempts, ...toldBy(body) };
}
