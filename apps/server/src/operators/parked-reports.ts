/**
 * Reports of providers that could not be acted on (SRV-3): listed for the people of the operator, who may set a taking aside that tells
 * of nothing new. Nothing else shows that a provider says what our books do not.
 */
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { CallFailure } from '../calls/call.ts';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { MODE_REPORTS } from '../providers/provider.ts';
import {
  type DismissedReport,
  type DismissRequest,
  type ParkedPage,
  type ParkedQuery,
  type ParkedReport,
  parkedList,
} from './parked-report-schemas.ts';

interface ParkedRow {
  readonly reportId: string;
  readonly type: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  readonly eventId: string;
  readonly body: {
    readonly outcome: string;
    readonly providerRef?: string;
    readonly paidMinor?: string;
    readonly currency?: string;
  };
  readonly why: string;
  readonly since: Date;
  readonly sinceText: string;
  readonly tries: number;
}

/** All names are our own words. Contradictions keep no payment: theirs is the one that the provider names. */
const parkedOf = (type: ParkedRow['type'], table: 'evidence' | 'withdrawal_evidence'): string => `
  select encode(sha256(convert_to('${type} ' || report.provider || ' ' || report.event_id, 'UTF8')), 'hex') as "reportId",
    '${type}' as type, payment.id, payment.user_id as "userId", report.provider, report.event_id as "eventId", report.body,
    report.outcome as why, report.received_at as since, report.received_at::text as "sinceText", report.tries
  from ${table} report join ${type} payment on payment.id = report.${type}_id or (report.${type}_id is null
    and payment.provider = report.provider and payment.provider_ref = report.body ->> 'providerRef')
  where report.status = 'parked' and payment.operator_id = $1`;

/** What is parked for payments of an operator, what waits longest first. What names no payment is nobody's: the logs tell of it. */
export async function parkedPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor }: ParkedQuery,
): Promise<ParkedPage> {
  const rows = await database.query<ParkedRow>({
    name: 'operator-parked-reports',
    text: `select * from (${parkedOf('deposit', 'evidence')} union all ${parkedOf('withdrawal', 'withdrawal_evidence')}) parked
      where $2::timestamptz is null or (since, "reportId") > ($2::timestamptz, $3::text)
      order by since, "reportId" limit $4`,
    values: [operatorId, cursor?.at ?? null, cursor?.report ?? null, limit + 1],
  });
  const { page, next } = parkedList.pageOf(rows, limit, (row) => ({ at: row.sinceText, report: row.reportId }));
  return { reports: page.map(reportOf), ...next };
}

function reportOf({ reportId, type, id, userId, provider, eventId, body, why, since, tries }: ParkedRow): ParkedReport {
  const { outcome, providerRef, paidMinor, currency } = body;
  const isAmount = paidMinor !== undefined && currency !== undefined && findCurrency(currency) !== undefined;
  return {
    reportId,
    type,
    id,
    userId,
    provider,
    ...(providerRef !== undefined && { reference: providerRef }),
    eventId,
    outcome,
    why,
    ...(isAmount && { amount: toDecimalString(BigInt(paidMinor), decimalsOf(currency)) }),
    ...(currency !== undefined && { currency }),
    since: since.toISOString(),
    tries,
    decisions: isDismissible(type, outcome, why) ? ['dismiss'] : [],
  };
}

/**
 * A taking that tells of nothing new would take the next money that comes back. Money that came has to be booked some day, but for
 * that of the other mode of a provider, which is never booked here.
 */
function isDismissible(type: ParkedRow['type'], outcome: string, why: string): boolean {
  return type === 'deposit' && (outcome === 'reversed' || MODE_REPORTS.some((word) => word === why));
}

/**
 * Sets a parked taking aside, once; a repeat answers as the first did. It moves no money.
 * @throws CallFailure not-found where it is not parked (any more), state-conflict where it tells of anything but a taking
 */
export function dismissReportOnce(
  database: Database,
  operatorId: string,
  reportId: string,
  { decidedBy, reason }: DismissRequest,
): Promise<DismissedReport> {
  return database.transaction(async (transaction) => {
    const [found] = await transaction.query<ParkedRow>({
      text: `select * from (${parkedOf('deposit', 'evidence')} union all ${parkedOf('withdrawal', 'withdrawal_evidence')}) parked
        where "reportId" = $2`,
      values: [operatorId, reportId],
    });
    if (found !== undefined) await dismiss(transaction, operatorId, found, { decidedBy, reason });
    const made = await findDismissal(transaction, operatorId, reportId);
    if (made === undefined) throw new CallFailure('not-found', 'There is no such report, or it has been acted on.');
    return { reportId, decidedBy: made.decidedBy, dismissed: made.at.toISOString() };
  });
}

async function dismiss(
  transaction: Transaction,
  operatorId: string,
  { type, provider, eventId, body, why }: ParkedRow,
  { decidedBy, reason }: DismissRequest,
): Promise<void> {
  if (!isDismissible(type, body.outcome, why)) {
    throw new CallFailure(
      'state-conflict',
      'Only a report that money was taken back, or one of the other mode, can be dismissed.',
    );
  }
  await transaction.query({
    // Of a try of the report and the people who dismiss it one comes first, and the others find it done.
    text: `with dismissed as (
        update evidence set status = 'applied', outcome = 'dismissed', next_at = null
        where provider = $2 and event_id = $3 and status = 'parked' returning provider, event_id)
      insert into report_dismissal (operator_id, provider, event_id, decided_by, reason)
      select $1, provider, event_id, $4, $5 from dismissed`,
    values: [operatorId, provider, eventId, decidedBy, reason],
  });
}

async function findDismissal(
  transaction: Transaction,
  operatorId: string,
  reportId: string,
): Promise<{ readonly decidedBy: string; readonly at: Date } | undefined> {
  const [made] = await transaction.query<{ decidedBy: string; at: Date }>({
    text: `select decided_by as "decidedBy", at from report_dismissal where operator_id = $1
      and encode(sha256(convert_to('deposit ' || provider || ' ' || event_id, 'UTF8')), 'hex') = $2`,
    values: [operatorId, reportId],
  });
  return made;
}
