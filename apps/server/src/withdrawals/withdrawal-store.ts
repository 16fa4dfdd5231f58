/**
 * Queries about withdrawals. A move also posts or releases the hold, and queues the push and the webhook, in one
 * transaction.
 */
import type { DeclineCause } from '@opencashier/contract/api';
import type { WebhookType } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { receiptParts } from '@opencashier/core/withdrawal/destination';
import { holdEffectOf, type WithdrawalState, withdrawalRank } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { Queryable, Transaction } from '../database/database.ts';
import { createHold, endHold, lockAndCheckFrozen } from '../ledger/holds.ts';
import { withdrawalDebitOf } from '../operator-wallet/wallet-debits.ts';
import { isKeptByOperator } from '../operator-wallet/wallet-mode.ts';
import { passOn } from '../operator-wallet/wallet-money.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import { savePayoutAccount } from '../payout-accounts/payout-accounts.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import { reviewIdOf } from '../reviews/review-decision.ts';
import { accountOf, payoutLines } from './payout-postings.ts';
import {
  readWithdrawal,
  type WithdrawalRow,
  withdrawalColumns,
  withdrawalHookData,
  withdrawalView,
} from './withdrawal-row.ts';
import { nextWithdrawalCheckS } from './withdrawal-schedule.ts';

/** The idempotency key of a withdrawal. Keys of different users never collide. */
export interface WithdrawalKey {
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
}

/**
 * Finds a withdrawal by its key.
 * @param lock true inside a transaction that will change the withdrawal
 */
export async function findWithdrawal(
  queryable: Queryable,
  key: WithdrawalKey,
  lock = false,
): Promise<WithdrawalRow | undefined> {
  const [row] = await queryable.query<WithdrawalRow>({
    name: lock ? 'withdrawal-by-key-locked' : 'withdrawal-by-key',
    text: `select ${withdrawalColumns} from withdrawal where operator_id = $1 and user_id = $2 and client_key = $3
      ${lock ? 'for update' : ''}`,
    values: [key.operatorId, key.userId, key.publicId],
  });
  return row && readWithdrawal(row);
}

/** The newest withdrawal of a user in a currency that is held and can still be confirmed. */
export async function findUnconfirmed(
  queryable: Queryable,
  { operatorId, userId }: Pick<WithdrawalKey, 'operatorId' | 'userId'>,
  currency: string,
): Promise<WithdrawalRow | undefined> {
  const [row] = await queryable.query<WithdrawalRow>({
    name: 'withdrawal-unconfirmed',
    text: `select ${withdrawalColumns} from withdrawal
      where operator_id = $1 and user_id = $2 and currency = $3 and state = 'held' and expires_at > now()
      order by created_at desc, id desc limit 1`,
    values: [operatorId, userId, currency],
  });
  return row && readWithdrawal(row);
}

/** True when the user cancelled this key before the create. */
export async function isCancelledBefore(queryable: Queryable, key: WithdrawalKey): Promise<boolean> {
  const found = await queryable.query({
    name: 'withdrawal-tombstone-found',
    text: `select 1 from withdrawal_key
      where operator_id = $1 and user_id = $2 and client_key = $3 and withdrawal_id is null`,
    values: [key.operatorId, key.userId, key.publicId],
  });
  return found.length > 0;
}

/** Reserves a key without a withdrawal, so that a late create is refused. Waits for a create that is committing. */
export async function insertTombstone(transaction: Transaction, key: WithdrawalKey): Promise<void> {
  await transaction.query({
    name: 'withdrawal-tombstone',
    text: `insert into withdrawal_key (operator_id, user_id, client_key, withdrawal_id) values ($1, $2, $3, null)
      on conflict do nothing`,
    values: [key.operatorId, key.userId, key.publicId],
  });
}

/** Our id of a withdrawal. Its operator comes first in every key of the database. */
export interface WithdrawalId {
  readonly operatorId: string;
  readonly id: string;
}

/** Locks a withdrawal until the end of the transaction. */
export async function lockWithdrawal(
  transaction: Transaction,
  { operatorId, id }: WithdrawalId,
): Promise<WithdrawalRow> {
  const [row] = await transaction.query<WithdrawalRow>({
    name: 'withdrawal-lock',
    text: `select ${withdrawalColumns} from withdrawal where operator_id = $1 and id = $2 for update`,
    values: [operatorId, id],
  });
  if (row === undefined) throw new Error(`Withdrawal ${id} no longer exists`);
  return readWithdrawal(row);
}

/**
 * Locks the account of a locked withdrawal. True when the account is frozen, for example by a debt that arose after
 * the hold.
 */
export function isAccountFrozen(transaction: Transaction, row: WithdrawalRow): Promise<boolean> {
  const { operatorId, userId, currency: asset } = row;
  return lockAndCheckFrozen(transaction, { operatorId, userId, asset, account: accountOf(row) });
}

/**
 * Holds the amount of a withdrawal.
 * @throws InsufficientFundsError, FrozenAccountError
 */
export async function holdAmount(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  await createHold(transaction, {
    operatorId: row.operatorId,
    holdId: row.id,
    withdrawalId: row.id,
    userId: row.userId,
    asset: row.currency,
    account: accountOf(row),
    amount: row.amount,
  });
}

/** A move of a withdrawal, with everything that it stores. */
export interface WithdrawalMove {
  readonly to: WithdrawalState;
  /** The cause for the history: `provider`, `user`, `expiry`, … */
  readonly cause: string;
  /** A locale key for the user. */
  readonly reason?: string;
  /** The provider's reason for the user. {@link declineMessage} has made the message safe. */
  readonly declineCause?: DeclineCause;
  readonly declineMessage?: string;
  /** The payout by which the money leaves; needed when the hold is posted. */
  readonly payoutId?: string;
  readonly providerRef?: string;
  readonly failure?: StoredFailure;
  /** Seconds for which this node may call the provider; absent: it does not. */
  readonly busyS?: number;
  /** The amount that the user paid for a late payout, as a decimal string, for the operator. */
  readonly charged?: string;
}

/** The last rank at which the provider may still need the destination. */
const LAST_RANK_WITH_FIELDS = withdrawalRank('submitted_unknown');

/**
 * Moves a locked withdrawal. The new state decides whether the hold is posted or voided, exactly once. Queues the
 * push and the webhook.
 * @returns the row afterwards
 */
export async function moveWithdrawal(
  transaction: Transaction,
  row: WithdrawalRow,
  move: WithdrawalMove,
): Promise<WithdrawalRow> {
  await settleHold(transaction, row, move);
  // Only a confirmed withdrawal saves its account.
  if (row.state === 'held' && isConfirmed(move.to)) await savePayoutAccount(transaction, row);
  const [changed] = await transaction.query<WithdrawalRow>({
    name: 'withdrawal-move',
    text: `update withdrawal set state = $2, cause = $3, reason = coalesce($4, reason),
        provider_ref = coalesce(provider_ref, $5), failure = coalesce($6::jsonb, failure),
        busy_until = now() + make_interval(secs => $7::float8),
        submissions = submissions + case when $7::float8 is null then 0 else 1 end,
        checks = 0, check_at = now() + make_interval(secs => $8::float8),
        decline_cause = coalesce($11, decline_cause), decline_message = coalesce($12, decline_message),
        request = case when $9 then jsonb_set(request - 'asked' - 'account', '{fields}', '{}') || $10::jsonb else request end
      where operator_id = $13 and id = $1 returning ${withdrawalColumns}`,
    values: [
      row.id,
      move.to,
      move.cause,
      move.reason ?? null,
      move.providerRef ?? null,
      move.failure === undefined ? null : JSON.stringify(move.failure),
      move.busyS ?? null,
      nextWithdrawalCheckS(move.to, 0) ?? null,
      // The provider has the destination or will never need it, so what the user entered is deleted.
      withdrawalRank(move.to) > LAST_RANK_WITH_FIELDS,
      JSON.stringify(row.request.asked === undefined ? {} : { receipt: receiptParts(row.request.asked) }),
      move.declineCause ?? null,
      move.declineMessage ?? null,
      row.operatorId,
    ],
  });
  if (changed === undefined) throw new Error(`Withdrawal ${row.id} no longer exists`);
  const after = readWithdrawal(changed);
  logMove(transaction, { type: 'withdrawal', row: after, from: row.state, cause: move.cause });
  // An early report may have been waiting for this move.
  await withdrawalEvents.wake(transaction, after);
  await announceWithdrawal(transaction, after, move.charged);
  return after;
}

const isConfirmed = (state: WithdrawalState): boolean =>
  state === 'submitted_unknown' || state === 'submitted' || state === 'awaiting_approval';

async function settleHold(
  transaction: Transaction,
  row: WithdrawalRow,
  { to, payoutId }: WithdrawalMove,
): Promise<void> {
  const effect = holdEffectOf(to);
  if (effect !== 'post' && effect !== 'release') return;
  const hold = { operatorId: row.operatorId, holdId: row.id, withdrawalId: row.id };
  const pays = payoutLines(row, { owner: row.provider, kind: 'provider_clearing' });
  const result = await endHold(
    transaction,
    effect === 'post'
      ? { ...hold, how: 'post', pays, fee: row.fee, ...(payoutId !== undefined && { payoutId }) }
      : { ...hold, how: 'void' },
  );
  // The table of states lets a hold end once. A duplicate means that other code ended the hold.
  if (result === 'duplicate') throw new Error(`The hold of withdrawal ${row.id} had ended before`);
  if (effect === 'release') await giveBack(transaction, row);
}

/** Gives the amount of a withdrawal without a payout back to the operator's wallet, if the wallet keeps the balance. */
async function giveBack(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  // The search for the debit reads the calls of every month. The ledger keeps most balances, so it is rarely needed.
  if (!(await isKeptByOperator(transaction, row))) return;
  const debit = await withdrawalDebitOf(transaction, row);
  const why =
    debit === undefined
      ? { reason: 'withdrawal-returned' as const }
      : { reason: 'withdrawal' as const, debitId: debit.id };
  await passOn(transaction, { ...moneyOf(row), ...why });
}

/** The amount of a withdrawal that its user's account here has got back. */
export function moneyOf(row: WithdrawalRow) {
  const { operatorId, id, userId, currency, amount } = row;
  return { operatorId, userId, currency, amount, account: accountOf(row), withdrawalId: id };
}

const WEBHOOK_OF_STATE: Readonly<Partial<Record<WithdrawalState, WebhookType>>> = {
  held: 'withdrawal.held',
  awaiting_approval: 'withdrawal.awaiting_approval',
  submitted: 'withdrawal.submitted',
  declined: 'withdrawal.declined',
  refused: 'withdrawal.declined',
  cancelled: 'withdrawal.cancelled',
  expired: 'withdrawal.expired',
  paid: 'withdrawal.processed',
  returned: 'withdrawal.returned',
  late_paid: 'withdrawal.under_review',
  late_settled: 'withdrawal.settled',
  late_returned: 'withdrawal.settled',
};

/** Queues the push to the user's widgets and the webhook to the operator. */
export async function announceWithdrawal(
  transaction: Transaction,
  row: WithdrawalRow,
  charged?: string,
): Promise<void> {
  await transaction.query({
    name: 'withdrawal-push',
    text: `insert into outbox (topic, operator_id, user_id, name, body) values ('push', $1, $2, 'withdrawal.status', $3)`,
    values: [row.operatorId, row.userId, JSON.stringify(withdrawalView(row))],
  });
  const type = WEBHOOK_OF_STATE[row.state];
  if (type === undefined) return;
  await queueWebhook(transaction, {
    operatorId: row.operatorId,
    type,
    at: row.serverTime.toISOString(),
    data: {
      ...withdrawalHookData(row),
      // A late payout that came back ends its review: nobody is charged.
      ...(row.state === 'late_returned' && { charged: toDecimalString(0n, decimalsOf(row.currency)) }),
      ...(row.state === 'late_paid' && { reviewId: reviewIdOf({ type: 'withdrawal', id: row.id, nth: 1 }) }),
      ...(charged !== undefined && { charged }),
      ...(row.state === 'awaiting_approval' && {
        approvalsNeeded: row.approvalsNeeded,
        ...(row.approvalBecause !== null && { because: row.approvalBecause }),
        expires: row.expiresAt.toISOString(),
      }),
    },
  });
}
