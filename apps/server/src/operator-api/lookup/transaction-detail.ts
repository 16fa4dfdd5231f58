/** One deposit or withdrawal with everything that belongs to it, also by time (SRV-1, SRV-3). It only reads. */
import type { FoundPayment, TransactionDetail } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { counted } from '../../languages/counted.ts';
import { reviewIdOf } from '../../reviews/review-decision.ts';
import { attemptMoments, type RoutedAttempts, routedAttempts } from './deposit-attempts.ts';
import { findPayments } from './payment-lookup.ts';

/** Entries of each list, at most. */
const mostEach = 100;

type Parts = Pick<TransactionDetail, 'payments' | 'disputes' | 'payouts' | 'decisions'> & RoutedAttempts;
type Moment = TransactionDetail['timeline'][number];

/** @throws DomainError not-found */
export async function transactionDetail(
  queryable: Queryable,
  operatorId: string,
  id: string,
): Promise<TransactionDetail> {
  const { payments } = await findPayments(queryable, operatorId, id);
  const found =
    payments.find((payment) => payment.id === id) ?? payments.find(({ matchedBy }) => matchedBy.includes('id'));
  if (found === undefined) throw new DomainError('not-found', 'Transaction not found.');
  const { matchedBy: _matchedBy, ...payment } = found;
  const [parts, notes] = await Promise.all([
    partsOf(queryable, operatorId, payment),
    notesOf(queryable, operatorId, payment.id),
  ]);
  return { ...payment, ...parts, timeline: timelineOf(payment, parts, notes) };
}

async function partsOf(
  queryable: Queryable,
  operatorId: string,
  { type, id }: Pick<FoundPayment, 'type' | 'id'>,
): Promise<Parts> {
  const names = [operatorId, id, mostEach];
  const isDeposit = type === 'deposit';
  const [routed, payments, disputes, payouts, decisions] = await Promise.all([
    isDeposit ? routedAttempts(queryable, operatorId, id) : { attempts: [] },
    isDeposit ? receiptsOf(queryable, names) : [],
    isDeposit ? disputesOf(queryable, names) : [],
    isDeposit ? [] : payoutsOf(queryable, names),
    decisionsOf(queryable, names, { type, id }),
  ]);
  return { ...routed, payments, disputes, payouts, decisions };
}

interface MoneyRow {
  readonly state: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string | null;
  readonly created: Date;
  readonly updated: Date;
}

function moneyOf({ amount, currency, created, updated, state }: MoneyRow) {
  return {
    state,
    amount: toDecimalString(amount, decimalsOf(currency)),
    currency,
    created: created.toISOString(),
    updated: updated.toISOString(),
  };
}

async function receiptsOf(queryable: Queryable, names: readonly unknown[]): Promise<Parts['payments']> {
  interface Receipt extends MoneyRow {
    readonly paymentId: string;
    readonly origin: string;
    readonly reference: string;
    readonly credited: Date | null;
    readonly reason: string | null;
  }
  const rows = await queryable.query<Receipt>({
    name: 'transaction-payments',
    text: `select id as "paymentId", origin, state, provider_ref as reference, amount, currency, created_at as created,
        updated_at as updated, credited_at as credited, reason
      from payment where operator_id = $1 and deposit_id = $2 order by created_at, id limit $3`,
    values: names,
  });
  return rows.map((row) => ({
    paymentId: row.paymentId,
    origin: row.origin,
    reference: row.reference,
    ...moneyOf(row),
    ...(row.credited !== null && { credited: row.credited.toISOString() }),
    ...(row.reason !== null && { reason: row.reason }),
  }));
}

async function disputesOf(queryable: Queryable, names: readonly unknown[]): Promise<Parts['disputes']> {
  const rows = await queryable.query<MoneyRow & { readonly disputeId: string; readonly paymentId: string }>({
    name: 'transaction-disputes',
    text: `select id as "disputeId", payment_id as "paymentId", state, part as reference, amount, currency,
        created_at as created, updated_at as updated
      from dispute where operator_id = $1 and deposit_id = $2 order by created_at, id limit $3`,
    values: names,
  });
  return rows.map((row) => ({
    disputeId: row.disputeId,
    paymentId: row.paymentId,
    ...(row.reference !== null && { reference: row.reference }),
    ...moneyOf(row),
  }));
}

async function payoutsOf(queryable: Queryable, names: readonly unknown[]): Promise<Parts['payouts']> {
  const rows = await queryable.query<MoneyRow & { readonly payoutId: string }>({
    name: 'transaction-payouts',
    text: `select id as "payoutId", state, provider_ref as reference, amount, currency, created_at as created,
        updated_at as updated
      from payout where operator_id = $1 and withdrawal_id = $2 order by created_at, id limit $3`,
    values: names,
  });
  return rows.map((row) => ({
    payoutId: row.payoutId,
    ...(row.reference !== null && { reference: row.reference }),
    ...moneyOf(row),
  }));
}

async function decisionsOf(
  queryable: Queryable,
  names: readonly unknown[],
  { type, id }: Pick<FoundPayment, 'type' | 'id'>,
): Promise<Parts['decisions']> {
  interface Decision {
    readonly decision: string;
    readonly decidedBy: string;
    readonly keyId: string | null;
    readonly reason: string | null;
    readonly at: Date;
  }
  const reviewIds = Array.from({ length: mostEach }, (_none, index) => reviewIdOf({ type, id, nth: index + 1 }));
  const rows = await queryable.query<Decision>({
    name: 'transaction-decisions',
    text: `select decision, decided_by as "decidedBy", key_id as "keyId", reason, at from withdrawal_decision
        where operator_id = $1 and withdrawal_id = $2
      union all select decision, staff, key_id, review_id, at from review_decision
        where operator_id = $1 and review_id = any($4)
      order by at limit $3`,
    values: [...names, reviewIds],
  });
  return rows.map(({ keyId, reason, at, ...decision }) => ({
    ...decision,
    ...(keyId !== null && { keyId }),
    ...(reason !== null && { reason }),
    at: at.toISOString(),
  }));
}

interface Note {
  readonly note: string;
  readonly at: Date;
}

function notesOf(queryable: Queryable, operatorId: string, id: string): Promise<Note[]> {
  return queryable.query({
    name: 'transaction-notes',
    text: 'select note, at from deposit_note where operator_id = $1 and deposit_id = $2 order by n',
    values: [operatorId, id],
  });
}

function timelineOf(payment: Omit<FoundPayment, 'matchedBy'>, parts: Parts, notes: readonly Note[]): Moment[] {
  const moments: Moment[] = [
    ...payment.history.map(({ at, from, to, cause }): Moment => {
      return { at, kind: 'move', text: `${from === undefined ? '' : `${from} → `}${to} (${cause})` };
    }),
    ...payment.reports.map(({ received, outcome, status, result, eventId }): Moment => {
      return { at: received, kind: 'report', text: `${outcome}: ${status}, ${result} (${eventId})` };
    }),
    ...payment.journals.map(({ at, kind, postings }): Moment => {
      const lines = postings.map((one) => `${one.account} ${one.amount} ${one.currency}`).join(', ');
      return { at, kind: 'journal', text: `${kind}: ${lines}` };
    }),
    ...attemptMoments(parts),
    ...parts.payments.map(({ created, amount, currency, origin, state }): Moment => {
      return { at: created, kind: 'payment', text: `${origin} ${amount} ${currency}: now ${state}` };
    }),
    ...payment.refunds.map(({ created, amount, currency, state, refundId }): Moment => {
      return { at: created, kind: 'refund', text: `${amount} ${currency}: now ${state} (${refundId})` };
    }),
    ...parts.disputes.map(({ created, amount, currency, state }): Moment => {
      return { at: created, kind: 'dispute', text: `${amount} ${currency}: now ${state}` };
    }),
    ...parts.payouts.map(({ created, amount, currency, state }): Moment => {
      return { at: created, kind: 'payout', text: `${amount} ${currency}: now ${state}` };
    }),
    ...parts.decisions.map(({ at, decision, decidedBy }): Moment => {
      return { at, kind: 'decision', text: `${decision} by ${decidedBy}` };
    }),
    ...payment.webhooks.map(({ created, type, status, attempts, id }): Moment => {
      return { at: created, kind: 'webhook', text: `${type}: ${status} after ${counted(attempts, 'attempt')} (${id})` };
    }),
    ...notes.map(({ note, at }): Moment => ({ at: at.toISOString(), kind: 'note', text: note })),
  ];
  return moments.toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}
