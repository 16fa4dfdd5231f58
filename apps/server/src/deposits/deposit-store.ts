/**
 * Queries about deposits. Every move writes its history (by trigger) and queues the push and the webhook in the same
 * transaction.
 */

import type { DepositResponse } from '@opencashier/contract/api';
import { type DepositWebhookData, paymentStatusOf, type WebhookType } from '@opencashier/contract/operator';
import { type DepositState, depositRank, statusOfDepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable, Transaction } from '../database/database.ts';
import { type DepositWebhook, queueMessages } from '../outbox/queue-messages.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import type { QueuedPush } from '../outbox/queued-push.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import { reviewIdOf } from '../reviews/review-decision.ts';
import { boughtView } from '../sweepstake/bought-box.ts';
import { type DepositRow, depositColumns, paidFeeView, readDeposit, transactionView } from './deposit-row.ts';
import { earnedBonusView } from './earned-bonus.ts';
import { nextCheckDelayS } from './reconciliation-schedule.ts';

/** The last rank at which a retry may still call the provider with the fields of the form. */
export const LAST_SUBMITTED_RANK = depositRank('awaiting_payment');

/** The idempotency key of a deposit. Keys of different users never collide. */
export interface DepositKey {
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
}

/** The meaning of a key: a deposit, or `tombstone`, a cancel that came before the create. */
export type KeyedDeposit = { readonly kind: 'deposit'; readonly row: DepositRow } | { readonly kind: 'tombstone' };

/** Finds a key; undefined: the key is unused. */
export async function findByKey(queryable: Queryable, key: DepositKey): Promise<KeyedDeposit | undefined> {
  const [row] = await queryable.query<DepositRow & { id: string | null }>({
    name: 'deposit-by-key',
    text: `select ${depositColumns} from deposit_key
      left join deposit on deposit.operator_id = deposit_key.operator_id and deposit.id = deposit_key.deposit_id
      where deposit_key.operator_id = $1 and deposit_key.user_id = $2 and deposit_key.client_key = $3`,
    values: [key.operatorId, key.userId, key.publicId],
  });
  if (row === undefined) return undefined;
  return row.id === null ? { kind: 'tombstone' } : { kind: 'deposit', row: readDeposit(row) };
}

/** Locks a deposit until the end of the transaction. */
export async function lockDeposit(
  transaction: Transaction,
  { operatorId, id }: Pick<DepositRow, 'operatorId' | 'id'>,
): Promise<DepositRow | undefined> {
  const [row] = await transaction.query<DepositRow>({
    name: 'deposit-lock',
    text: `select ${depositColumns} from deposit where operator_id = $1 and id = $2 for update`,
    values: [operatorId, id],
  });
  return row && readDeposit(row);
}

/** A change of a deposit's row. */
export interface DepositMove {
  readonly to: DepositState;
  /** The cause for the history: `provider`, `user`, `expiry`, … */
  readonly cause: string;
  /** A locale key for the user. */
  readonly reason?: string;
  /** The paid amount in minor units, only if in the deposit's currency. */
  readonly received?: bigint;
  readonly providerRef?: string;
  readonly remoteStatus?: string;
  readonly response?: DepositResponse;
  readonly failure?: StoredFailure;
  /** Seconds for which the provider accepts the payment. */
  readonly lifetimeS?: number;
  /**
   * With a move to `reversed`: the minor units that the user pays now. Earlier partial chargebacks were announced
   * before.
   */
  readonly chargedBack?: bigint;
  /** True: the call to the provider is over. Its end is kept, because an older answer of the provider proves nothing about this call. */
  readonly isNoLongerBusy?: boolean;
}

/**
 * Changes a locked deposit and queues the push and the webhook. The rank only rises; the database refuses anything
 * else. The row repeats the summary of its payments.
 * @param row the deposit before its payments changed, so that a new or ended review is announced
 * @returns the row afterwards
 */
export async function moveDeposit(transaction: Transaction, row: DepositRow, move: DepositMove): Promise<DepositRow> {
  const isMoved = move.to !== row.state;
  const delay = nextCheckDelayS(move.to, 0);
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-move',
    text: `update deposit set state = $2, cause = $3, reason = coalesce($4, reason),
        (paid, credited, paid_debt, charged_fee, review, reviews, review_since) = (
          select paid, credited, paid_debt, charged_fee, review, reviews, review_since from payment_summary
          where operator_id = $15 and deposit_id = $1),
        received = coalesce($5, received),
        provider_ref = coalesce(provider_ref, $6), remote_status = coalesce($7, remote_status),
        response = coalesce($8::jsonb, response), failure = coalesce($9::jsonb, failure),
        lifetime_s = coalesce($10::int, lifetime_s),
        expires_at = case when $10::int is null then expires_at else created_at + make_interval(secs => $10::int) end,
        busy_until = case when $11 then least(busy_until, now()) else busy_until end,
        checks = case when $12 then 0 else checks end,
        check_at = case when $12 then now() + make_interval(secs => $13::float8) else check_at end,
        request = case when $14 then jsonb_set(request, '{fields}', '{}') - 'inputs' else request end
      where operator_id = $15 and id = $1 returning ${depositColumns}`,
    values: [
      row.id,
      move.to,
      move.cause,
      move.reason ?? null,
      move.received ?? null,
      move.providerRef ?? null,
      move.remoteStatus ?? null,
      move.response === undefined ? null : JSON.stringify(move.response),
      move.failure === undefined ? null : JSON.stringify(move.failure),
      move.lifetimeS ?? null,
      move.isNoLongerBusy ?? false,
      isMoved,
      delay ?? null,
      // The provider is not called again, so what the user entered is deleted.
      depositRank(move.to) > LAST_SUBMITTED_RANK,
      row.operatorId,
    ],
  });
  if (changed === undefined) throw new Error(`Deposit ${row.id} no longer exists`);
  const after = readDeposit(changed);
  if (isMoved) logMove(transaction, { type: 'deposit', row: after, from: row.state, cause: move.cause });
  if (isMoved || after.review !== row.review) await announce(transaction, row, after, move.chargedBack);
  return after;
}

/** Queues a push of the deposit's state to the user's widgets. */
export async function queuePush(transaction: Transaction, row: DepositRow): Promise<void> {
  await transaction.query({
    name: 'outbox-push',
    text: `insert into outbox (topic, operator_id, user_id, name, body) values ('push', $1, $2, 'deposit.status', $3)`,
    values: [row.operatorId, row.userId, JSON.stringify(transactionView(row))],
  });
}

/**
 * Queues the push and the webhook of each move, in one statement. The deposits belong to one operator.
 * @param isLeased true: the caller's node sends the returned pushes after the commit
 */
export function announceMoves(
  transaction: Transaction,
  operatorId: string,
  moves: readonly { readonly before: DepositRow; readonly after: DepositRow }[],
  isLeased: boolean,
): Promise<QueuedPush[]> {
  return queueMessages(transaction, operatorId, {
    pushes: moves.map(({ after }) => ({ userId: after.userId, name: 'deposit.status', body: transactionView(after) })),
    webhooks: moves.flatMap(({ before, after }) => moveWebhook(before, after) ?? []),
    isLeased,
  });
}

/** The deposit's data in webhooks to the operator. */
export function depositHookData(row: DepositRow): DepositWebhookData {
  return {
    depositId: row.id,
    userId: row.userId,
    amount: toDecimalString(row.credited ?? row.amount, decimalsOf(row.currency)),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    ...(row.box !== null && { box: boughtView(row.box) }),
    ...(row.bonus !== null && { bonusId: row.bonus.id }),
    status: paymentStatusOf[statusOfDepositState(row.state)],
  };
}

async function announce(
  transaction: Transaction,
  before: DepositRow,
  after: DepositRow,
  chargedBack: bigint | undefined,
): Promise<void> {
  await queuePush(transaction, after);
  const webhook = moveWebhook(before, after, chargedBack);
  if (webhook !== undefined) await queueWebhook(transaction, { operatorId: after.operatorId, ...webhook });
}

/** The webhook that announces a move; undefined: the operator needs none. */
function moveWebhook(before: DepositRow, after: DepositRow, chargedBack?: bigint): DepositWebhook | undefined {
  const type = webhookTypeOf(before, after);
  if (type === undefined) return undefined;
  const isUnderReview = type === 'deposit.under_review';
  const data = {
    ...depositHookData(after),
    ...((type === 'deposit.processed' || type === 'deposit.refunded') && paidFeeView(after)),
    ...(type === 'deposit.processed' && earnedBonusView(after)),
    ...(type === 'deposit.processed' &&
      after.paidDebt !== null && { paidDebt: toDecimalString(after.paidDebt, decimalsOf(after.currency)) }),
    ...(chargedBack !== undefined && { amount: toDecimalString(chargedBack, decimalsOf(after.currency)) }),
    ...(isUnderReview && { status: 'accepted' as const }),
    ...(isUnderReview &&
      after.review !== null && {
        reviewId: reviewIdOf({ type: 'deposit', id: after.id, nth: after.reviews }),
        reason: after.review,
      }),
  };
  return { type, at: after.serverTime.toISOString(), data };
}

const WEBHOOK_OF_STATE: Readonly<Partial<Record<DepositState, WebhookType>>> = {
  credited: 'deposit.processed',
  declined: 'deposit.declined',
  cancelled: 'deposit.cancelled',
  expired: 'deposit.expired',
  refunded: 'deposit.refunded',
  reversed: 'deposit.reversed',
};

function webhookTypeOf(before: DepositRow, after: DepositRow): WebhookType | undefined {
  if (after.review !== null && after.review !== before.review) return 'deposit.under_review';
  return after.state === before.state ? undefined : WEBHOOK_OF_STATE[after.state];
}
