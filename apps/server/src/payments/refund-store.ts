/** Refunds as they lie in the database, and how they end. Everything here is under the lock of the deposit. */
import type { Queryable, Transaction } from '../database/database.ts';
import { endHold } from '../ledger/holds.ts';
import { lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import { queueWebhook } from '../webhooks/queue-webhook.ts';
import { bonusBackLines } from './bonus-postings.ts';
import type { DepositRow } from './deposit-row.ts';
import { depositHookData, moveDeposit } from './deposit-store.ts';

export type RefundState = 'asked' | 'accepted' | 'declined' | 'refunded';

export interface RefundCommand {
  readonly operatorId: string;
  readonly depositId: string;
  /** The operator's key: a repeat asks for nothing more. */
  readonly refundId: string;
  readonly staff: string;
  readonly reason?: string | undefined;
}

export interface RefundRow {
  readonly id: string;
  readonly operatorId: string;
  readonly refundId: string;
  readonly depositId: string;
  /** Minor units: all that was credited. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly staff: string;
  readonly state: RefundState;
  readonly checks: number;
  readonly createdAt: Date;
}

/** The select list that makes a {@link RefundRow}. */
export const refundColumns = `id, operator_id as "operatorId", refund_id as "refundId", deposit_id as "depositId", amount, currency,
  reason, staff, state, checks, created_at as "createdAt"`;

export async function findRefund(
  queryable: Queryable,
  operatorId: string,
  refundId: string,
): Promise<RefundRow | undefined> {
  const [row] = await queryable.query<RefundRow>({
    name: 'refund-by-key',
    text: `select ${refundColumns} from deposit_refund where operator_id = $1 and refund_id = $2`,
    values: [operatorId, refundId],
  });
  return row;
}

/** How a refund stands, by our own id of it; undefined for one that is not of this deposit. */
export async function refundStateOf(
  queryable: Queryable,
  depositId: string,
  id: string,
): Promise<RefundState | undefined> {
  const [row] = await queryable.query<{ state: RefundState }>({
    name: 'refund-state-of',
    text: 'select state from deposit_refund where deposit_id = $1 and id::text = $2',
    values: [depositId, id],
  });
  return row?.state;
}

/** The refund of a deposit that was not declined; there is one at most. */
export async function liveRefund(queryable: Queryable, depositId: string): Promise<RefundRow | undefined> {
  const [row] = await queryable.query<RefundRow>({
    name: 'refund-of-deposit',
    text: `select ${refundColumns} from deposit_refund where deposit_id = $1 and state <> 'declined'`,
    values: [depositId],
  });
  return row;
}

/** The money has left: what was held pays for it, and nobody owes anything. */
export async function postRefund(
  transaction: Transaction,
  deposit: DepositRow,
  refund: RefundRow,
  cause: string,
): Promise<DepositRow> {
  const { operatorId, userId, currency: asset } = deposit;
  await lockUserBalance(transaction, operatorId, userId, asset);
  const paidBack = { owner: deposit.provider, asset, kind: 'provider_clearing', amount: refund.amount } as const;
  const pays = [paidBack, ...(await bonusBackLines(transaction, deposit))];
  await endOnce(transaction, refund, { how: 'post', pays });
  await setRefundState(transaction, refund, 'refunded');
  return moveDeposit(transaction, deposit, { to: 'refunded', cause, reason: 'transaction.reason.refunded' });
}

/** The provider keeps the money: the user has it back, and the deposit stays what it was. */
export async function voidRefund(transaction: Transaction, deposit: DepositRow, refund: RefundRow): Promise<void> {
  await endOnce(transaction, refund, { how: 'void' });
  await setRefundState(transaction, refund, 'declined');
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
    ...end,
  });
  // A refund ends once by its row; a second end means that the hold was ended past it.
  if (result === 'duplicate') throw new Error(`The hold of refund ${refund.id} had ended before`);
}

/** @param checkS seconds until the provider is asked again; absent: never */
export async function setRefundState(
  transaction: Transaction,
  refund: RefundRow,
  state: RefundState,
  checkS?: number,
): Promise<void> {
  await transaction.query({
    name: 'refund-state',
    text: `update deposit_refund set state = $2, checks = checks + 1, check_at = now() + make_interval(secs => $3::float8)
      where id = $1`,
    values: [refund.id, state, checkS ?? null],
  });
}
