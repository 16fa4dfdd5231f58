/**
 * Unmatched events about an operator's payments (SRV-3): their list, and the dismissal of a duplicate chargeback event by staff. Only
 * this list shows that a provider's reports and our ledger disagree.
 */

import type { DismissedReport, DismissRequest, PageQuery, ParkedPage } from '@opencashier/contract/operator';
import type { Database, Queryable, Transaction } from '../../database/database.ts';
import { constraintOf } from '../../database/pool-database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { MODE_REPORTS } from '../../providers/provider.ts';
import { isReturnedPart, refusedTransfer, requireGiven } from './returned-part.ts';
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
  /** A part of a payout that came back after the payout was paid. */
  readonly isReturnedPart: boolean;
}

/**
 * Inserts only names of this file into the SQL. A report may name no payment of ours, or an id that we do not know. It then belongs to
 * the payment whose provider reference it has.
 */
const parkedOf = (type: PaymentType): string => `
  select ${waitingColumns(type)}, payment.id, payment.user_id as "userId",
    ${type === 'withdrawal' ? isReturnedPart : 'false'} as "isReturnedPart"
  from ${eventTables[type]} report join ${type} payment
    on (payment.operator_id = $1 and payment.id = report.${type}_id)
      or (payment.operator_id = $1 and payment.provider = report.provider and payment.provider_ref = report.body ->> 'providerRef'
        and payment.connection_id is not distinct from (report.body ->> 'connectionId')::uuid
        and not exists (select 1 from ${type} named where named.id = report.${type}_id))
  where report.status = 'parked'`;
const parked = `(${parkedOf('deposit')} union all ${parkedOf('withdrawal')})`;

/** Parked reports of an operator's payments, the longest waiting first. `unmatchedPage` lists those that name no known payment. */
export async function parkedPage(database: Queryable, operatorId: string, query: PageQuery): Promise<ParkedPage> {
  const rows = await database.query<ParkedRow>({
    name: 'operator-parked-reports',
    text: `select * from ${parked} parked where ${inOrder}`,
    values: [operatorId, ...placeValues(parkedList, query)],
  });
  return pageOfWaiting(parkedList, rows, query.limit, ({ id, userId, ...report }) => ({
    id,
    userId,
    decisions: isDismissible(report) ? (['dismiss'] as 'dismiss'[]) : [],
  }));
}

/**
 * A duplicate chargeback event would be applied to the next returned payment, so staff may dismiss it. A report of received money must
 * be booked in the end. Only a report of the other mode (test beside a live key, or live beside a test key) is never booked.
 */
function isDismissible({ type, body, reason, isReturnedPart: isReturned }: Dismissible): boolean {
  return (
    isReturned || (type === 'deposit' && (body.outcome === 'reversed' || MODE_REPORTS.some((word) => word === reason)))
  );
}

type Dismissible = Pick<ParkedRow, 'type' | 'body' | 'reason' | 'isReturnedPart'>;

/**
 * Dismisses a parked chargeback event, one of the other mode, or the return of a part of a payout. It moves no money. A repeat gets the
 * first answer.
 * @throws DomainError not-found if the report is not parked, state-conflict if it cannot be dismissed
 */
export function dismissReportOnce(
  database: Database,
  operatorId: string,
  reportId: string,
  request: DismissRequest,
  keyId?: string,
): Promise<DismissedReport> {
  const dismissed = database.transaction(async (transaction) => {
    const [found] = await transaction.query<ParkedRow>({
      text: `select * from ${parked} parked where "reportId" = $2`,
      values: [operatorId, reportId],
    });
    if (found !== undefined) await dismiss(transaction, operatorId, found, { ...request, keyId });
    const made = await findDismissal(transaction, operatorId, reportId);
    if (made === undefined) throw new DomainError('not-found', 'Event not found, or already applied.');
    return { reportId, decidedBy: made.decidedBy, dismissed: made.at.toISOString() };
  });
  return dismissed.catch((error: unknown) => {
    // Another report was dismissed by the same transfer at the same moment.
    throw constraintOf(error) === 'report_dismissal_transfer_once' ? refusedTransfer() : error;
  });
}

async function dismiss(
  transaction: Transaction,
  operatorId: string,
  report: ParkedRow,
  { decidedBy, reason, transferId, keyId }: DismissRequest & { readonly keyId: string | undefined },
): Promise<void> {
  if (!isDismissible(report)) {
    throw new DomainError(
      'state-conflict',
      'Only a chargeback event, a report of the other mode, or a returned part of a payout can be dismissed.',
    );
  }
  const { type, provider, eventId } = report;
  if (report.isReturnedPart) await requireGiven(transaction, { operatorId, ...report }, transferId);
  await transaction.query({
    // The server may try to apply the report at the same time. The condition on the status lets only one of the two win.
    text: `with dismissed as (
        update ${eventTables[type]} set status = 'applied', outcome = 'dismissed', next_at = null
        where provider = $2 and event_id = $3 and status = 'parked' returning provider, event_id)
      insert into report_dismissal (operator_id, provider, event_id, decided_by, reason, key_id, transfer_id)
      select $1, provider, event_id, $4, $5, $6, $7 from dismissed`,
    values: [
      operatorId,
      provider,
      eventId,
      decidedBy,
      reason,
      keyId ?? null,
      report.isReturnedPart ? (transferId ?? null) : null,
    ],
  });
}

async function findDismissal(
  transaction: Transaction,
  operatorId: string,
  reportId: string,
): Promise<{ readonly decidedBy: string; readonly at: Date } | undefined> {
  const [made] = await transaction.query<{ decidedBy: string; at: Date }>({
    text: `select decided_by as "decidedBy", at from report_dismissal where operator_id = $1
      and $2 in (encode(sha256(convert_to('deposit ' || provider || ' ' || event_id, 'UTF8')), 'hex'),
        encode(sha256(convert_to('withdrawal ' || provider || ' ' || event_id, 'UTF8')), 'hex'))`,
    values: [operatorId, reportId],
  });
  return made;
}
