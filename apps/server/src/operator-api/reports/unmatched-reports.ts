/**
 * Reports of providers that name no payment of this database (SRV-3), for example because a restored backup lacks the deposit. Somebody
 * must see money without an owner. This is its operator if it is known, or else whoever runs the cashier.
 */
import type { PageQuery, UnmatchedPage } from '@opencashier/contract/operator';
import type { Queryable } from '../../database/database.ts';
import { MODE_REPORTS } from '../../providers/provider.ts';
import {
  eventTables,
  inOrder,
  type PaymentType,
  pageOfWaiting,
  placeValues,
  type WaitingRow,
  waitingColumns,
  waitingReports,
} from './waiting-reports.ts';

const unmatchedList = waitingReports('unmatched reports');

/**
 * The operator of a report, from the first of these sources that names one:
 * 1. the operator's id that the cashier sent to the provider with the payment;
 * 2. the operator in the settings of the wallet that received the money;
 * 3. the journals with the report's reference, if all are of one operator;
 * 4. the only operator, if there is just one.
 *
 * Each source is certain. A guess could show an operator the payments of another.
 */
const operatorOf = `coalesce(
    (select id from operator where id = report.body ->> 'operatorId'),
    (select id from operator where partner_key = report.body #>> '{unassigned,operator}'),
    (select min(operator.id) from operator cross join lateral (select 1 from journal_key where operator_id = operator.id
      and source = report.provider and ref = report.body ->> 'providerRef' limit 1) booked having count(*) = 1),
    (select min(id) from operator where report.body #>> '{unassigned,operator}' is null
      and report.body ->> 'operatorId' is null having count(*) = 1))`;

/** Inserts only names of this file into the SQL. */
const unmatchedIn = (type: PaymentType): string => `
  select ${waitingColumns(type)}, ${operatorOf} as operator_id
  from ${eventTables[type]} report where report.status = 'parked'
    and not exists (select 1 from ${type} payment where payment.id = report.${type}_id)
    and not exists (select 1 from ${type} payment where payment.provider = report.provider
      and payment.provider_ref = report.body ->> 'providerRef'
      and payment.connection_id is not distinct from (report.body ->> 'connectionId')::uuid)`;
const unmatched = `(${unmatchedIn('deposit')} union all ${unmatchedIn('withdrawal')})`;

interface UnmatchedRow extends WaitingRow {
  readonly operator: string | null;
}

/**
 * Unmatched reports that name no known payment, the longest waiting first.
 * @param operatorId undefined: the reports of all operators and of none, for the command line
 */
export async function unmatchedPage(
  queryable: Queryable,
  operatorId: string | undefined,
  query: PageQuery,
): Promise<UnmatchedPage> {
  const rows = await queryable.query<UnmatchedRow>({
    name: 'unmatched-reports',
    text: `select unmatched.*, operator.partner_key as operator
      from ${unmatched} unmatched left join operator on operator.id = operator_id
      where ($1::text is null or operator_id = $1) and ${inOrder}`,
    values: [operatorId ?? null, ...placeValues(unmatchedList, query)],
  });
  return pageOfWaiting(unmatchedList, rows, query.limit, ({ body, operator }) => {
    const id = body.depositId ?? body.withdrawalId;
    return { ...(operator !== null && { operator }), ...(id !== undefined && { id }) };
  });
}

export interface UnmatchedCount {
  readonly provider: string;
  readonly reports: number;
}

/** The number of unmatched reports by provider, without zeros; for the doctor and the metrics. */
export function countUnmatched(queryable: Queryable): Promise<UnmatchedCount[]> {
  return queryable.query({
    name: 'unmatched-counts',
    text: `select provider, count(*)::int as reports from ${unmatched} unmatched group by provider order by provider`,
  });
}

/** The number of parked reports by provider whose mode is not that of the key in the settings; for the doctor. */
export function countOfOtherMode(queryable: Queryable): Promise<(UnmatchedCount & { readonly why: string })[]> {
  return queryable.query({
    name: 'other-mode-counts',
    text: `select provider, outcome as why, count(*)::int as reports from deposit_event
      where status = 'parked' and outcome = any($1) group by provider, outcome order by provider, outcome`,
    values: [MODE_REPORTS],
  });
}
