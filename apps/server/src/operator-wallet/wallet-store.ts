/** Stored calls to operators' wallets. A call is written in the transaction that moves its money, so neither exists without the other. */
import type { KnownWalletCall, WalletMove, WalletReason } from '@opencashier/contract/operator';
import type { WalletMeaning } from '@opencashier/core/operator-wallet/wallet-answer';
import { nextWalletTryS } from '@opencashier/core/operator-wallet/wallet-effects';
import type { Queryable, Transaction } from '../database/database.ts';

/** Seconds for which one node alone asks about a call: longer than any call. When the node dies meanwhile, another one continues then. */
export const WALLET_LEASE_S = 30;

/** The key of a call: the same id in every try. */
export interface WalletCallKey {
  readonly operatorId: string;
  readonly id: string;
}

/** A movement of a user's money between the ledger and the operator's wallet. */
export interface NewWalletCall {
  readonly operatorId: string;
  readonly type: WalletMove['type'];
  readonly reason: WalletReason;
  readonly userId: string;
  readonly currency: string;
  /** Minor units, above zero. */
  readonly amount: bigint;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  readonly debitId?: string;
  readonly isForced?: boolean;
  /** Of a claim: the freeze of the account that ends when its debts are paid, as a text of the database with all its digits. */
  readonly frozenSince?: string | undefined;
  /** What goes on when a debit is done: a refund. */
  readonly request?: object;
}

/** A row of the table `operator_wallet_call`. */
export interface WalletCallRow extends WalletCallKey {
  readonly type: WalletMove['type'];
  readonly reason: WalletReason;
  readonly userId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly depositId: string | null;
  readonly withdrawalId: string | null;
  readonly debitId: string | null;
  readonly isForced: boolean;
  readonly frozenSince: string | null;
  readonly request: unknown;
  readonly state: KnownWalletCall['state'];
  readonly code: string | null;
  readonly message: string | null;
  readonly balance: bigint | null;
  readonly createdAt: Date;
}

/** The select list of a {@link WalletCallRow}. */
export const walletCallColumns = `asked.operator_id as "operatorId", asked.id, asked.type, asked.reason, asked.user_id as "userId",
  asked.currency, asked.amount, asked.deposit_id as "depositId", asked.withdrawal_id as "withdrawalId", asked.debit_id as "debitId",
  asked.is_forced as "isForced", asked.frozen_since::text as "frozenSince", asked.request, asked.state, asked.code, asked.message, asked.balance,
  asked.created_at as "createdAt"`;

/**
 * Stores a call.
 * @param how `booked`: nobody is asked. Otherwise the seconds for which this node alone may ask; 0: a worker asks at once
 * @returns its id
 */
export async function insertWalletCall(
  transaction: Transaction,
  call: NewWalletCall,
  how: 'booked' | { readonly leasedS: number },
): Promise<string> {
  const isBooked = how === 'booked';
  const [made] = await transaction.query<{ id: string }>({
    name: isBooked ? 'wallet-call-booked' : 'wallet-call-waiting',
    text: `with asked as (
        insert into operator_wallet_call (operator_id, type, reason, user_id, currency, amount, deposit_id, withdrawal_id, debit_id,
          is_forced, frozen_since, request, state, known_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, case when $13 = 'booked' then now() end)
        returning operator_id, id, coalesce(deposit_id, withdrawal_id) as payment_id
      )${
        isBooked
          ? ''
          : `, queued as (insert into operator_wallet_queue (operator_id, call_id, payment_id, due_at)
        select operator_id, id, payment_id, now() + make_interval(secs => $14) from asked)`
      } select id from asked`,
    values: [
      call.operatorId,
      call.type,
      call.reason,
      call.userId,
      call.currency,
      call.amount,
      call.depositId ?? null,
      call.withdrawalId ?? null,
      call.debitId ?? null,
      call.isForced ?? false,
      call.frozenSince ?? null,
      call.request === undefined ? null : JSON.stringify(call.request),
      isBooked ? 'booked' : 'waiting',
      ...(isBooked ? [] : [how.leasedS]),
    ],
  });
  if (made === undefined) throw new Error('No call to the wallet was stored');
  return made.id;
}

/** Reads a call that was stored before. */
export async function readWalletCall(queryable: Queryable, { operatorId, id }: WalletCallKey): Promise<WalletCallRow> {
  const [row] = await queryable.query<WalletCallRow>({
    name: 'wallet-call-read',
    text: `select ${walletCallColumns} from operator_wallet_call asked where operator_id = $1 and id = $2`,
    values: [operatorId, id],
  });
  if (row === undefined) throw new Error(`Call ${id} to a wallet no longer exists`);
  return row;
}

/** Locks a call until the end of the transaction. Lock its payment first, so that two transactions never block each other. */
export async function lockWalletCall(
  transaction: Transaction,
  { operatorId, id }: WalletCallKey,
): Promise<WalletCallRow> {
  const [row] = await transaction.query<WalletCallRow>({
    name: 'wallet-call-lock',
    text: `select ${walletCallColumns} from operator_wallet_call asked where operator_id = $1 and id = $2 for update`,
    values: [operatorId, id],
  });
  if (row === undefined) throw new Error(`Call ${id} to a wallet no longer exists`);
  return row;
}

/** A certain answer. */
export type KnownAnswer = Exclude<WalletMeaning, { readonly kind: 'unknown' }>;

/** Stores the outcome of a waiting call, once. */
export async function endWalletCall(
  transaction: Transaction,
  { operatorId, id }: WalletCallKey,
  answer: KnownAnswer,
): Promise<void> {
  const ended = await transaction.query({
    name: 'wallet-call-known',
    text: `with left_queue as (delete from operator_wallet_queue where operator_id = $1 and call_id = $2)
      update operator_wallet_call set state = $3, known_at = now(), transaction_id = $4, balance = $5, code = $6, message = $7
      where operator_id = $1 and id = $2 and state = 'waiting' returning 1`,
    values: [
      operatorId,
      id,
      answer.kind,
      answer.kind === 'done' ? (answer.transactionId ?? null) : null,
      answer.balance ?? null,
      answer.kind === 'declined' ? answer.code : null,
      answer.kind === 'declined' ? (answer.message ?? null) : null,
    ],
  });
  if (ended.length === 0) throw new Error(`Call ${id} to a wallet was known before`);
}

/**
 * Plans the next try of a call with an unknown outcome.
 * @param next.tries how often the call was sent
 * @param next.atLeastS seconds for which the operator's wallet is not asked
 */
export async function planWalletTry(
  queryable: Queryable,
  { operatorId, id }: WalletCallKey,
  { why, tries, atLeastS }: { readonly why: string; readonly tries: number; readonly atLeastS: number },
): Promise<void> {
  await queryable.query({
    name: 'wallet-call-again',
    text: `update operator_wallet_queue set why = $3, tries = $4, due_at = now() + make_interval(secs => $5)
      where operator_id = $1 and call_id = $2`,
    values: [operatorId, id, why, tries, Math.max(atLeastS, nextWalletTryS(tries))],
  });
}
