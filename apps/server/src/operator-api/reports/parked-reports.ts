/**
 * Reports of providers that could not be acted on (SRV-3): listed for the people of the operator, who may set a taking aside that tells
 * of nothing new. Nothing else shows that a provider says what our books do not.
 */

import type { DismissedReport, DismissRequest, PageQuery, ParkedPage } from '@opencashier/contract/operator';
import type { Database, Queryable, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
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

const parkedList = waitingReports('parked reports');

interface ParkedRow extends WaitingRow {
  readonly id: string;
  readonly userId: string;
}

/**
 * All names are our own words. A report that keeps no payment of ours, as a contradiction or one that names an id which is not here, is of
 * the payment whose reference it names.
 */
const parkedOf = (type: PaymentType): string => `
  select ${waitingColumns(type)}, payment.id, payment.user_id as "userId"
  from ${eventTables[type]} report join ${type} payment on payment.id = report.${type}_id
    or (payment.provider = report.provider and payment.provider_ref = report.body ->> 'providerRef'
      and not exists (select 1 from ${type} named where named.id = report.${type}_id))
  where report.status = 'parked' and payment.operator_id = $1`;
const parked = `(${parkedOf('deposit')} union all ${parkedOf('withdrawal')})`;

/** What is parked for payments of an operator, what waits longest first. What names no payment is listed with the unmatched reports. */
export async function parkedPage(database: Queryable, operatorId: string, query: PageQuery): Promise<ParkedPage> {
  const rows = await database.query<ParkedRow>({
    name: 'operator-parked-reports',
    text: `select * from ${parked} parked where ${inOrder}`,
    values: [operatorId, ...placeValues(parkedList, query)],
  });
  return pageOfWaiting(parkedList, rows, query.limit, ({ id, userId, type, body, why }) => ({
    id,
    userId,
    decisions: isDismissible(type, body.outcome, why) ? (['dismiss'] as 'dismiss'[]) : [],
  }));
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
 * @throws DomainError not-found where it is not parked (any more), state-conflict where it tells of anything but a taking
 */
export function dismissReportOnce(
  database: Database,
  operatorId: string,
  reportId: string,
  { decidedBy, reason }: DismissRequest,
): Promise<DismissedReport> {
  return database.transaction(async (transaction) => {
    const [found] = await transaction.query<ParkedRow>({
      text: `select * from ${parked} parked where "reportId" = $2`,
      values: [operatorId, reportId],
    });
    if (found !== undefined) await dismiss(transaction, operatorId, found, { decidedBy, reason });
    const made = await findDismissal(transaction, operatorId, reportId);
    if (made === undefined) throw new DomainError('not-found', 'There is no such report, or it has been acted on.');
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
    throw new DomainError(
      'state-conflict',
      'Only a report that money was taken back, or one of the other mode, can be dismissed.',
    );
  }
  await transaction.query({
    // Of a try of the report and the people who dismiss it one comes first, and the others find it done.
    text: `with dismissed as (
        update deposit_event set status = 'applied', outcome = 'dismissed', next_at = null
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
