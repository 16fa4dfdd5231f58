/** The rows of a deposit's payments, refunds and disputes. Every caller holds the lock of the deposit. */
import { randomUUID } from 'node:crypto';
import type {
  DepositAggregate,
  Dispute,
  PaidOut,
  Payment,
  Refund,
  ReviewReason,
} from '@opencashier/core/payment/aggregate';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import type { DepositReport } from '../providers/provider.ts';

/** The aggregate of a deposit without any payment, which needs no query; undefined: the deposit has payments. */
export function unpaidAggregate(row: DepositRow): DepositAggregate | undefined {
  if (row.paid !== null || row.reviews > 0) return undefined;
  return { deposit: row, payments: [], refunds: [], disputes: [], paidOut: [] };
}

/** Reads a locked deposit with its payments, refunds and disputes. */
export async function loadAggregate(transaction: Transaction, row: DepositRow): Promise<DepositAggregate> {
  const unpaid = unpaidAggregate(row);
  if (unpaid !== undefined) return unpaid;
  const payments = await transaction.query<Payment>({
    name: 'payments-of-deposit',
    text: `select id, provider_ref as ref, origin, part, state, currency as asset, amount, reason, review from payment
      where operator_id = $1 and deposit_id = $2 order by created_at, provider_ref`,
    values: [row.operatorId, row.id],
  });
  const refunds = await transaction.query<Refund>({
    name: 'refunds-of-deposit',
    text: `select id, payment_id as "paymentId", origin, state, amount, confirmed_at is not null as "isConfirmed" from refund
      where operator_id = $1 and deposit_id = $2 order by created_at, id`,
    values: [row.operatorId, row.id],
  });
  const disputes = await transaction.query<Dispute>({
    name: 'disputes-of-deposit',
    text: `select id, payment_id as "paymentId", part, state, amount from dispute
      where operator_id = $1 and deposit_id = $2 order by created_at, id`,
    values: [row.operatorId, row.id],
  });
  const paidOut = await transaction.query<PaidOut>({
    name: 'paid-out-of-deposit',
    text: `select payment.id as "paymentId", paid_out_of(operator_id, id) as amount from payment
      where operator_id = $1 and deposit_id = $2 and origin = 'deposit' and paid_out_of(operator_id, id) > 0`,
    values: [row.operatorId, row.id],
  });
  return { deposit: row, payments, refunds, disputes, paidOut };
}

/** A payment to store. The amount is in minor units of `asset`. */
export interface NewPayment {
  readonly origin: Payment['origin'];
  readonly ref: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly part?: string;
  /** Absent: the payment is credited at once. */
  readonly reason?: ReviewReason;
  /**
   * Number of the review that begins with the payment. Absent: no review, or the payment waits until another review
   * has ended.
   */
  readonly review?: number;
}

/** @returns the id */
export async function insertPayment(transaction: Transaction, row: DepositRow, payment: NewPayment): Promise<string> {
  const id = randomUUID();
  await transaction.query({
    name: 'payment-insert',
    text: `insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, part, state, currency, amount, reason, review,
        review_since)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case when $12::int is not null then now() end)`,
    values: [
      id,
      row.operatorId,
      row.id,
      row.provider,
      payment.ref,
      payment.origin,
      payment.part ?? null,
      payment.reason === undefined ? 'credited' : 'in_review',
      payment.asset,
      payment.amount,
      payment.reason ?? null,
      payment.review ?? null,
    ],
  });
  return id;
}

/** A payment that is credited at once, with the id that it gets. The amount is in minor units of `asset`. */
export interface CreditedPayment {
  readonly id: string;
  readonly depositId: string;
  readonly ref: string;
  readonly asset: string;
  readonly amount: bigint;
}

/** Stores payments of one operator and provider, each the deposit's own payment and credited. */
export async function insertCreditedPayments(
  transaction: Transaction,
  operatorId: string,
  provider: string,
  payments: readonly CreditedPayment[],
): Promise<void> {
  await transaction.query({
    name: 'payments-insert-credited',
    text: `insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount)
      select paid.id, $1, paid.deposit_id, $2, paid.ref, 'deposit', 'credited', paid.asset, paid.amount
      from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bigint[]) as paid(id, deposit_id, ref, asset, amount)`,
    values: [
      operatorId,
      provider,
      payments.map(({ id }) => id),
      payments.map(({ depositId }) => depositId),
      payments.map(({ ref }) => ref),
      payments.map(({ asset }) => asset),
      payments.map(({ amount }) => amount),
    ],
  });
}

/** Moves a payment. The database refuses a move that is not allowed. */
export async function setPaymentState(
  transaction: Transaction,
  operatorId: string,
  id: string,
  state: Payment['state'],
): Promise<void> {
  await transaction.query({
    name: 'payment-state',
    text: 'update payment set state = $3 where operator_id = $1 and id = $2',
    values: [operatorId, id, state],
  });
}

/** What a credit paid before the user could spend it, in minor units. */
export interface CreditCharges {
  /** Undefined: the deposit has no fee. */
  readonly fee: bigint | undefined;
  readonly debt: bigint;
}

/** Stores the parts of a credited payment that paid the fee and the user's debt. */
export async function setCharges(
  transaction: Transaction,
  operatorId: string,
  id: string,
  { fee, debt }: CreditCharges,
): Promise<void> {
  if (fee === undefined && debt === 0n) return;
  await transaction.query({
    name: 'payment-charges',
    text: 'update payment set charged_fee = $3, paid_debt = nullif($4::bigint, 0) where operator_id = $1 and id = $2',
    values: [operatorId, id, fee ?? null, debt],
  });
}

/**
 * Begins the review of the next waiting payment.
 * @returns the reason of the review; undefined when no payment waits
 */
export async function openNextReview(transaction: Transaction, row: DepositRow): Promise<ReviewReason | undefined> {
  const [next] = await transaction.query<{ reason: ReviewReason }>({
    name: 'payment-review-next',
    text: `update payment set review = $3, review_since = now() where operator_id = $1 and id = (
        select id from payment where operator_id = $1 and deposit_id = $2 and state = 'in_review' and review is null
        order by created_at, provider_ref limit 1)
      returning reason`,
    values: [row.operatorId, row.id, row.reviews + 1],
  });
  return next?.reason;
}

/**
 * Interrupts the open review, because another payment is reviewed first. The waiting payment gets a new review number
 * later.
 */
export async function interruptReview(transaction: Transaction, row: DepositRow): Promise<void> {
  if (row.review === null) return;
  await transaction.query({
    name: 'payment-review-interrupt',
    text: `update payment set review = null, review_since = null
      where operator_id = $1 and deposit_id = $2 and state = 'in_review' and review is not null`,
    values: [row.operatorId, row.id],
  });
}

/**
 * Stores a new open dispute of a payment.
 * @returns the id
 */
export async function insertDispute(
  transaction: Transaction,
  row: DepositRow,
  payment: Payment,
  dispute: { readonly amount: bigint; readonly part?: string } & Pick<DepositReport, 'eventId'>,
): Promise<string> {
  const id = randomUUID();
  await transaction.query({
    name: 'dispute-insert',
    text: `insert into dispute (id, operator_id, deposit_id, payment_id, provider, event_id, part, state, currency, amount)
      values ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9)`,
    values: [
      id,
      row.operatorId,
      row.id,
      payment.id,
      row.provider,
      dispute.eventId,
      dispute.part ?? null,
      payment.asset,
      dispute.amount,
    ],
  });
  return id;
}

/** Marks a dispute as won. */
export async function winDispute(transaction: Transaction, operatorId: string, id: string): Promise<void> {
  await transaction.query({
    name: 'dispute-won',
    text: `update dispute set state = 'won' where operator_id = $1 and id = $2`,
    values: [operatorId, id],
  });
}
