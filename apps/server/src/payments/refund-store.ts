/** Stored refunds, and how they end. Every caller holds the lock of the deposit. */
import type { Payment } from '@opencashier/core/payment/aggregate';
import type { RefundState } from '@opencashier/core/payment/payment-lifecycle';
import type { Queryable, Transaction } from '../database/database.ts';
import { type DepositRow, paidFee } from '../deposits/deposit-row.ts';
import { depositHookData, moveDeposit } from '../deposits/deposit-store.ts';
import { endHold } from '../ledger/holds.ts';
import { lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import { measure } from '../observability/measure.ts';
import { refundDebitOf } from '../operator-wallet/wallet-debits.ts';
import { passOn } from '../operator-wallet/wallet-money.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import { bonusReversalLines } from './bonus-postings.ts';
import { setPaymentState } from './payment-store.ts';

/** A refund that the operator requests. */
export interface RefundCommand {
  readonly operatorId: string;
  readonly depositId: string;
  /** The operator's idempotency key: a retry starts no second refund. */
  readonly refundId: string;
  readonly staff: string;
  /** The API key that asked for it. Absent: the command line. */
  readonly keyId?: string | undefined;
  readonly reason?: string | undefined;
}

/** A row of the table `refund`. */
export interface RefundRow {
  readonly id: string;
  readonly operatorId: string;
  readonly refundId: string;
  readonly depositId: string;
  readonly paymentId: string;
  /** Minor units; the whole credited amount. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly staff: string;
  readonly state: RefundState;
  readonly checks: number;
  readonly createdAt: Date;
}

/** What the operator gets to know about a refund, also before its row exists. */
export type RefundAnswer = Pick<
  RefundRow,
  'refundId' | 'depositId' | 'state' | 'amount' | 'currency' | 'staff' | 'createdAt'
>;

/** The select list of a {@link RefundRow}. */
export const refundColumns = `id, operator_id as "operatorId", refund_id as "refundId", deposit_id as "depositId",
  payment_id as "paymentId", amount, currency,
  reason, staff, state, checks, created_at as "createdAt"`;

/** Finds a refund by the operator's key. */
export async function findRefund(
  queryable: Queryable,
  operatorId: string,
  refundId: string,
): Promise<RefundRow | undefined> {
  const [row] = await queryable.query<RefundRow>({
    name: 'refund-by-key',
    text: `select ${refundColumns} from refund where operator_id = $1 and refund_id = $2`,
    values: [operatorId, refundId],
  });
  return row;
}

/** Ends a refund because the provider reported that the money left. */
export async function endRefund(
  transaction: Transaction,
  deposit: DepositRow,
  id: string,
  cause: string,
): Promise<DepositRow> {
  const [refund] = await transaction.query<RefundRow>({
    name: 'refund-by-id',
    text: `select ${refundColumns} from refund where operator_id = $1 and id = $2`,
    values: [deposit.operatorId, id],
  });
  if (refund === undefined) throw new Error(`Refund ${id} no longer exists`);
  const after = await postRefund(transaction, deposit, refund, cause);
  await confirmRefund(transaction, deposit.operatorId, id);
  return after;
}

/** Marks a refund as reported by the provider. Another report is then about other money. */
export async function confirmRefund(transaction: Transaction, operatorId: string, id: string): Promise<void> {
  await transaction.query({
    name: 'refund-confirm',
    text: 'update refund set confirmed_at = coalesce(confirmed_at, now()) where operator_id = $1 and id = $2',
    values: [operatorId, id],
  });
}

/** Marks a refund as bounced: its money came back. */
export async function bounceRefund(transaction: Transaction, operatorId: string, id: string): Promise<void> {
  await transaction.query({
    name: 'refund-bounce',
    text: `update refund set state = 'bounced' where operator_id = $1 and id = $2`,
    values: [operatorId, id],
  });
}

/**
 * Stores the refund of a payment in suspense, which staff have sent back by hand.
 * @returns the id of the refund
 */
export async function insertReviewRefund(
  transaction: Transaction,
  { id, operatorId, provider }: DepositRow,
  payment: Payment,
  staff: string,
): Promise<string> {
  const [made] = await transaction.query<{ id: string }>({
    name: 'refund-of-review',
    text: `insert into refund (operator_id, deposit_id, payment_id, origin, amount, currency, staff, state)
      values ($1, $2, $3, 'review', $4, $5, $6, 'succeeded') returning id`,
    values: [operatorId, id, payment.id, payment.amount, payment.asset, staff],
  });
  if (made === undefined) throw new Error(`No refund of payment ${payment.id} was stored`);
  measure(transaction, 'refunds', { provider, state: 'succeeded' });
  return made.id;
}

/** Books a refund whose money has left. The hold pays for it, so no debt arises. */
export async function postRefund(
  transaction: Transaction,
  deposit: DepositRow,
  refund: RefundRow,
  cause: string,
): Promise<DepositRow> {
  const { operatorId, userId, currency: asset } = deposit;
  await lockUserBalance(transaction, operatorId, userId, asset);
  const paidBack = { owner: deposit.provider, asset, kind: 'provider_clearing', amount: refund.amount } as const;
  const pays = [paidBack, ...(await bonusReversalLines(transaction, deposit))];
  await endOnce(transaction, refund, { how: 'post', pays });
  await setRefundState(transaction, refund, 'succeeded');
  measure(transaction, 'refunds', { provider: deposit.provider, state: 'succeeded' });
  await setPaymentState(transaction, refund.operatorId, refund.paymentId, 'refunded');
  return moveDeposit(transaction, deposit, { to: 'refunded', cause, reason: 'transaction.reason.refunded' });
}

/** Ends a declined refund: the hold returns to the user, and the deposit keeps its state. */
export async function voidRefund(transaction: Transaction, deposit: DepositRow, refund: RefundRow): Promise<void> {
  await endOnce(transaction, refund, { how: 'void' });
  await setRefundState(transaction, refund, 'declined');
  measure(transaction, 'refunds', { provider: deposit.provider, state: 'declined' });
  const { operatorId, depositId, currency } = refund;
  // The hold has returned the fee to the fees, and only the rest to the user.
  const amount = refund.amount - paidFee(deposit);
  const debit = await refundDebitOf(transaction, refund);
  await passOn(transaction, {
    operatorId,
    userId: deposit.userId,
    currency,
    amount,
    ...(debit === undefined ? { reason: 'payment-returned' } : { reason: 'refund', debitId: debit.id }),
    depositId,
  });
  await queueWebhook(transaction, {
    operatorId: deposit.operatorId,
    type: 'deposit.refund_declined',
    at: deposit.serverTime.toISOString(),
    data: { ...depositHookData(deposit), refundId: refund.refundId },
  });
}

async function endOnce(
  transaction: Transaction,
  refund: RefundRow,
  end: { readonly how: 'void' } | { readonly how: 'post'; readonly pays: readonly PostingLine[] },
): Promise<void> {
  const result = await endHold(transaction, {
    operatorId: refund.operatorId,
    holdId: refund.id,
    depositId: refund.depositId,
    paymentId: refund.paymentId,
    refundId: refund.id,
    ...end,
  });
  // The refund's row lets it end once. A duplicate means that other code ended the hold.
  if (result === 'duplicate') throw new Error(`The hold of refund ${refund.id} had ended before`);
}

/**
 * Sets the state of a refund and plans the next check.
 * @param checkS seconds until the provider is asked again; absent: never
 */
export async function setRefundState(
  transaction: Transaction,
  refund: RefundRow,
  state: RefundState,
  checkS?: number,
): Promise<void> {
  await transaction.query({
    name: 'refund-state',
    text: `update refund set state = $2, checks = checks + 1, check_at = now() + make_interval(secs => $3::float8)
      where operator_id = $4 and id = $1`,
    values: [refund.id, state, checkS ?? null, refund.operatorId],
  });
}
