/** The rows of a coin payout and of its transactions, and the statements that several changes of a payout consist of. */
import type { ChainPayoutState } from '@opencashier/core/chain-payout/chain-payout';
import type { Queryable, Transaction } from '../../../database/database.ts';
import { constraintOf } from '../../../database/pool-database.ts';
import type { PayoutDraft, PreparedTransaction } from './payout-rail.ts';

export interface PayoutKey {
  readonly operatorId: string;
  readonly withdrawalId: string;
}

export interface CoinPayout extends PayoutKey, PayoutDraft {
  readonly chain: string;
  readonly wallet: string;
  readonly coin: string;
  readonly minor: bigint;
  readonly state: ChainPayoutState;
  readonly reason: string | null;
  readonly hash: string | null;
  readonly isReported: boolean;
}

export interface CoinTransaction {
  readonly version: number;
  readonly unsigned: string;
  readonly feeRate: bigint;
  readonly mostFee: bigint;
  readonly hash: string | null;
  readonly signed: string | null;
  /** Seconds since it was sent first. 0: not yet. */
  readonly sentForS: number;
  /** Seconds until the chain stops to take it, also below 0. Null: it never does. */
  readonly expiresInS: number | null;
  /** No block has it or can have it: it has certainly expired. */
  readonly isOver: boolean;
}

export interface MoveFacts {
  readonly reason?: string | undefined;
  readonly hash?: string | undefined;
  readonly fee?: bigint | undefined;
  readonly isPrepared?: boolean;
}

export async function moved(
  queryable: Queryable,
  { operatorId, withdrawalId, state }: PayoutKey & Pick<CoinPayout, 'state'>,
  to: ChainPayoutState,
  { reason, hash, fee, isPrepared = false }: MoveFacts = {},
): Promise<boolean> {
  const rows = await queryable.query({
    name: 'coin-payout-move',
    // A fee belongs to its transaction: another one that is mined instead does not inherit it. A payout that no block took is stuck until
    // one has it, however often it begins again: else its alert would end with each new transaction.
    text: `update coin_payout set state = $4,
        reason = coalesce($5, case when reason = 'stuck' and $4 in ('queued', 'prepared', 'signed', 'broadcast') then reason end), hash = coalesce($6, hash),
        fee = coalesce($7, case when $6 is null or $6 = hash then fee end),
        prepared_at = case when $8 then now() else prepared_at end
      where operator_id = $1 and withdrawal_id = $2 and state = $3 returning 1`,
    values: [
      operatorId,
      withdrawalId,
      state,
      to,
      reason ?? null,
      hash ?? null,
      fee === undefined ? null : String(fee),
      isPrepared,
    ],
  });
  return rows.length > 0;
}

/** What a signer or people have signed: the chain's name of the transaction, and its bytes. */
export type Signature = Readonly<Record<'hash' | 'signed', string>>;

/**
 * Stores a signature of one transaction. The payout is locked first, as whoever notes an expiry does.
 * @param giver who gave it as a file. Absent: a signer on the network
 * @returns false, and nothing is stored, when another signature was stored before, the transaction has certainly expired, or the payout
 * does not wait for its first signature any more
 */
export async function storeSignature(
  transaction: Transaction,
  payout: PayoutKey & Pick<CoinPayout, 'state'>,
  version: number,
  { hash, signed }: Signature,
  giver?: { readonly by: string; readonly keyId?: string | undefined },
): Promise<boolean> {
  const { operatorId, withdrawalId } = payout;
  const [locked] = await transaction.query<Pick<CoinPayout, 'state'>>({
    name: 'coin-payout-lock-to-sign',
    text: 'select state from coin_payout where operator_id = $1 and withdrawal_id = $2 for update',
    values: [operatorId, withdrawalId],
  });
  if (payout.state === 'prepared' && locked?.state !== 'prepared') return false;
  const rows = await transaction.query({
    name: 'coin-transaction-signed',
    text: `update coin_transaction set hash = $4, signed = $5, given_by = $6, given_key = $7
      where operator_id = $1 and withdrawal_id = $2 and version = $3 and hash is null and expired_at is null returning 1`,
    values: [operatorId, withdrawalId, version, hash, signed, giver?.by ?? null, giver?.keyId ?? null],
  });
  if (rows.length === 0) return false;
  // A replacement does not change the state: an earlier transaction is on its way.
  return payout.state !== 'prepared' || moved(transaction, payout, 'signed');
}

export async function insertVersion(
  queryable: Queryable | Transaction,
  { operatorId, withdrawalId }: PayoutKey,
  version: number,
  { unsigned, feeRate, mostFee, expiresAt }: PreparedTransaction,
): Promise<void> {
  await queryable.query({
    name: 'coin-transaction-insert',
    text: `insert into coin_transaction (operator_id, withdrawal_id, version, unsigned, fee_rate, most_fee, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (operator_id, withdrawal_id, version) do nothing`,
    values: [
      operatorId,
      withdrawalId,
      version,
      unsigned,
      String(feeRate),
      String(mostFee),
      expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    ],
  });
}

/**
 * Whether another payout has ever had one of the slots, also one that it gave up. Where a slot is a whole transaction, both payouts would
 * find it in a block, and each would count as paid.
 */
export async function wasAnothers(
  transaction: Transaction,
  { chain, wallet, withdrawalId }: CoinPayout,
  slots: readonly string[],
): Promise<boolean> {
  const rows = await transaction.query({
    name: 'coin-slots-of-others',
    text: `select 1 from coin_slot where chain = $1 and wallet = $2 and slot = any($3) and withdrawal_id <> $4 limit 1`,
    values: [chain, wallet, [...slots], withdrawalId],
  });
  return rows.length > 0;
}

/**
 * Forgets the slots of earlier tries of a payout that begins again. Another payout has spent them, and its rows keep them taken. As long
 * as this payout had them too, its new transaction would count as one that can never be mined.
 */
export async function forgetSpentSlots(
  transaction: Transaction,
  { operatorId, withdrawalId }: PayoutKey,
): Promise<void> {
  await transaction.query({
    name: 'coin-slots-forget',
    text: 'delete from coin_slot where operator_id = $1 and withdrawal_id = $2 and is_released',
    values: [operatorId, withdrawalId],
  });
}

export const isSlotTaken = (error: unknown): boolean => constraintOf(error) === 'coin_slot_once';
