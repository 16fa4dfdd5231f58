/**
 * Reports of providers that name no payment of this database (SRV-3), such as of a deposit that was lost with a backup that was
 * restored. Money without an owner must be seen: by its operator where that is known, else by whoever runs the cashier.
 */
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import { MODE_REPORTS } from '../providers/provider.ts';
import { type ParkedQuery, type UnmatchedPage, type UnmatchedReport, unmatchedList } from './parked-report-schemas.ts';

/** Of the operator that the report names, or of the only one there is. All names are our own words. */
const unmatchedIn = (type: 'deposit' | 'withdrawal', table: 'evidence' | 'withdrawal_evidence'): string => `
  select '${type}' as type, report.provider, report.event_id, report.body, report.outcome, report.received_at, report.tries,
    encode(sha256(convert_to('${type} ' || report.provider || ' ' || report.event_id, 'UTF8')), 'hex') as report_id,
    (select owner.id from operator owner where owner.partner_key = report.body #>> '{unassigned,operator}'
      union all select min(id) from operator having count(*) = 1 limit 1) as operator_id
  from ${table} report where report.status = 'parked'
    and not exists (select 1 from ${type} payment where payment.id = report.${type}_id)
    and not exists (select 1 from ${type} payment where payment.provider = report.provider
      and payment.provider_ref = report.body ->> 'providerRef')`;
const unmatched = `(${unmatchedIn('deposit', 'evidence')} union all ${unmatchedIn('withdrawal', 'withdrawal_evidence')})`;

interface UnmatchedRow {
  readonly type: 'deposit' | 'withdrawal';
  readonly provider: string;
  readonly eventId: string;
  readonly reportId: string;
  readonly operator: string | null;
  readonly body: {
    readonly outcome: string;
    readonly depositId?: string;
    readonly withdrawalId?: string;
    readonly providerRef?: string;
    readonly paidMinor?: string;
    readonly currency?: string;
  };
  readonly why: string;
  readonly since: Date;
  readonly sinceText: string;
  readonly tries: number;
}

/**
 * What waits longest comes first.
 * @param operatorId of whom; undefined: all of them, also those that are nobody's, for whoever runs the cashier
 */
export async function unmatchedPage(
  queryable: Queryable,
  operatorId: string | undefined,
  { limit, cursor }: ParkedQuery,
): Promise<UnmatchedPage> {
  const rows = await queryable.query<UnmatchedRow>({
    name: 'unmatched-reports',
    text: `select unmatched.type, unmatched.provider, event_id as "eventId", report_id as "reportId",
        operator.partner_key as operator, body, outcome as why, received_at as since, received_at::text as "sinceText", tries
      from ${unmatched} unmatched left join operator on operator.id = operator_id
      where ($1::text is null or operator_id = $1)
        and ($2::timestamptz is null or (received_at, report_id) > ($2::timestamptz, $3::text))
      order by received_at, report_id limit $4`,
    values: [operatorId ?? null, cursor?.at ?? null, cursor?.report ?? null, limit + 1],
  });
  const { page, next } = unmatchedList.pageOf(rows, limit, (row) => ({ at: row.sinceText, report: row.reportId }));
  return { reports: page.map(reportOf), ...next };
}

function reportOf({ body, operator, since, sinceText: _text, ...row }: UnmatchedRow): UnmatchedReport {
  const { outcome, depositId, withdrawalId, providerRef, paidMinor, currency } = body;
  const id = depositId ?? withdrawalId;
  const isAmount = paidMinor !== undefined && currency !== undefined && findCurrency(currency) !== undefined;
  return {
    ...row,
    outcome,
    ...(operator !== null && { operator }),
    ...(id !== undefined && { id }),
    ...(providerRef !== undefined && { reference: providerRef }),
    ...(isAmount && { amount: toDecimalString(BigInt(paidMinor), decimalsOf(currency)) }),
    ...(currency !== undefined && { currency }),
    since: since.toISOString(),
  };
}

export interface UnmatchedCount {
  readonly provider: string;
  readonly reports: number;
}

/** How many there are of each provider that has any; for the doctor and the metrics. */
export function countUnmatched(queryable: Queryable): Promise<UnmatchedCount[]> {
  return queryable.query({
    name: 'unmatched-counts',
    text: `select provider, count(*)::int as reports from ${unmatched} unmatched group by provider order by provider`,
  });
}

/** How many parked reports of each provider are of the other mode than the key in the settings; for the doctor. */
export function countOfOtherMode(queryable: Queryable): Promise<(UnmatchedCount & { readonly why: string })[]> {
  return queryable.query({
    name: 'other-mode-counts',
    text: `select provider, outcome as why, count(*)::int as reports from evidence
      where status = 'parked' and outcome = any($1) group by provider, outcome order by provider, outcome`,
    values: [MODE_REPORTS],
  });
}
