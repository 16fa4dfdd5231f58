/**
 * The refunds by which a withdrawal is paid out (WD-2). They are stored before the provider is called, so that its reports about them are
 * told apart from refunds of the deposit. While a refund is stored, its payment has that much less to refund.
 */
import { randomUUID } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type PlannedRefund, planRefunds, refundableSum } from '@opencashier/core/payout/plan-refunds';
import type { PayoutRefund } from '@opencashier/provider-kit';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type CardPayment, type CardsOf, refundablePayments } from './paid-cards.ts';

/** The most refunds that are tried for one withdrawal. Then its staff must decide. */
const MOST_TRIES = 24;

/** A withdrawal to a card that paid. */
export interface CardPayout extends CardsOf {
  readonly id: string;
  readonly cardId: string;
  /** What must arrive, in minor units of `currency`. */
  readonly receives: bigint;
}

/**
 * Plans the refunds of a new withdrawal, inside the transaction that holds its amount. Locks the deposits, so that no refund or dispute
 * uses the same money.
 * @throws DomainError limit-max (`params.max`) when the card's payments have less
 */
export async function planPayout(transaction: Transaction, payout: CardPayout): Promise<void> {
  const payments = await lockedPayments(transaction, payout);
  const planned = planRefunds(payments, payout.receives);
  if (planned === undefined) {
    const params = { max: toDecimalString(refundableSum(payments), decimalsOf(payout.currency)) };
    throw new DomainError('limit-max', 'The payments of this card have less left than the amount', { params });
  }
  await insertRefunds(transaction, payout, planned, 1);
}

/** The refunds that the provider must make, in their order. */
export function readPayoutRefunds(
  queryable: Queryable,
  { operatorId, id }: Pick<CardPayout, 'operatorId' | 'id'>,
): Promise<PayoutRefund[]> {
  return queryable.query<PayoutRefund>({
    name: 'payout-refunds',
    text: `select payout_refund.id as "refundId", payment.provider_ref as "paymentRef", payout_refund.amount as "amountMinor"
      from payout_refund join payment on payment.operator_id = payout_refund.operator_id and payment.id = payout_refund.payment_id
      where payout_refund.operator_id = $1 and payout_refund.withdrawal_id = $2 and payout_refund.state = 'planned'
      order by payout_refund.position`,
    values: [operatorId, id],
  });
}

/** Marks refunds by which the provider certainly sends nothing. Their payments can be refunded otherwise again. */
export async function declineRefunds(
  queryable: Queryable,
  { operatorId, id }: Pick<CardPayout, 'operatorId' | 'id'>,
  refundIds: readonly string[],
): Promise<void> {
  await queryable.query({
    name: 'payout-refunds-declined',
    text: `update payout_refund set state = 'declined'
      where operator_id = $1 and withdrawal_id = $2 and id = any($3::uuid[]) and state = 'planned'`,
    values: [operatorId, id, refundIds],
  });
}

/** Whether a refund still counts for its withdrawal: it is known, and was not declined. */
export async function isPlannedRefund(
  queryable: Queryable,
  { operatorId, id }: Pick<CardPayout, 'operatorId' | 'id'>,
  refundId: string,
): Promise<boolean> {
  const rows = await queryable.query({
    name: 'payout-refund-planned',
    text: `select 1 from payout_refund
      where operator_id = $1 and withdrawal_id = $2 and id::text = $3 and state = 'planned'`,
    values: [operatorId, id, refundId],
  });
  return rows.length > 0;
}

/**
 * Replaces refused refunds of a withdrawal of which another part has left. Prefers payments that were not refused for it.
 * @returns the refunds that pay the whole withdrawal; undefined: the payments of the card do not suffice now
 */
export function completeRefunds(database: Database, payout: CardPayout): Promise<readonly PayoutRefund[] | undefined> {
  return database.transaction(async (transaction) => {
    // Two nodes would both replace the same refund.
    await transaction.query({
      name: 'payout-refunds-lock',
      text: 'select 1 from withdrawal where operator_id = $1 and id = $2 for update',
      values: [payout.operatorId, payout.id],
    });
    const planned = await readPayoutRefunds(transaction, payout);
    const missing = planned.reduce((left, { amountMinor }) => left - amountMinor, payout.receives);
    if (missing === 0n) return planned;
    const tried = await triedRefunds(transaction, payout);
    const payments = await lockedPayments(transaction, payout);
    const isRefused = ({ paymentId }: CardPayment): boolean => tried.refused.includes(paymentId);
    const inOrder = [...payments.filter((one) => !isRefused(one)), ...payments.filter(isRefused)];
    const more = planRefunds(inOrder, missing);
    if (more === undefined || tried.count + more.length > MOST_TRIES) return undefined;
    await insertRefunds(transaction, payout, more, tried.count + 1);
    return readPayoutRefunds(transaction, payout);
  });
}

interface Tried {
  readonly count: number;
  /** The payments that a refund of this withdrawal named in vain. */
  readonly refused: readonly string[];
}

async function triedRefunds(transaction: Transaction, { operatorId, id }: CardPayout): Promise<Tried> {
  const rows = await transaction.query<{ paymentId: string; state: string }>({
    name: 'payout-refunds-tried',
    text: `select payment_id as "paymentId", state from payout_refund where operator_id = $1 and withdrawal_id = $2`,
    values: [operatorId, id],
  });
  const refused = rows.filter(({ state }) => state === 'declined').map(({ paymentId }) => paymentId);
  return { count: rows.length, refused };
}

/** The payments of the card with their rests, whose deposits are locked. All transactions lock deposits in one order. */
async function lockedPayments(transaction: Transaction, payout: CardPayout): Promise<CardPayment[]> {
  const seen = await refundablePayments(transaction, payout, payout.cardId);
  await transaction.query({
    name: 'payout-deposits-lock',
    text: 'select 1 from deposit where operator_id = $1 and id = any($2::uuid[]) order by id for update',
    values: [payout.operatorId, seen.map(({ depositId }) => depositId)],
  });
  const locked = new Set(seen.map(({ paymentId }) => paymentId));
  // The rests may have changed while this transaction waited for the locks.
  const now = await refundablePayments(transaction, payout, payout.cardId);
  return now.filter(({ paymentId }) => locked.has(paymentId));
}

async function insertRefunds(
  transaction: Transaction,
  { operatorId, id }: CardPayout,
  planned: readonly PlannedRefund[],
  first: number,
): Promise<void> {
  await transaction.query({
    name: 'payout-refunds-plan',
    text: `insert into payout_refund (operator_id, id, withdrawal_id, payment_id, amount, position)
      select $1, given.id, $2, given.payment_id, given.amount, $3 + given.nth - 1
      from unnest($4::uuid[], $5::uuid[], $6::bigint[]) with ordinality as given(id, payment_id, amount, nth)`,
    values: [
      operatorId,
      id,
      first,
      planned.map(() => randomUUID()),
      planned.map(({ paymentId }) => paymentId),
      planned.map(({ amount }) => amount),
    ],
  });
}
