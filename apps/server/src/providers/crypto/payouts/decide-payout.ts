/** What staff decide about a coin payout that is being checked (docs/payouts.md). The chain must allow it. */
import {
  type ChainPayoutState,
  mayDecline,
  type SlotFate,
  wayToPay,
} from '@opencashier/core/chain-payout/chain-payout';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Queryable, Transaction } from '../../../database/database.ts';
import { BOOK_DECIMALS } from '../chain-kinds.ts';
import { isSlotTaken } from './payout-rows.ts';

export interface CheckedPayout {
  readonly withdrawalId: string;
  readonly chain: string;
  readonly coin: string;
  readonly state: ChainPayoutState;
  readonly reason: string | null;
  readonly fate: SlotFate;
}

export interface PayoutDecision {
  readonly operatorId: string;
  readonly withdrawalId: string;
  /**
   * - `again`: pay. The signer gets the same transaction, or a new one where the first can never be mined.
   * - `release`: other payouts may use its slot. Afterwards the payout can be paid again or declined.
   * - `decline`: the amount returns to the user. Also of a payout that has not begun.
   */
  readonly decision: 'again' | 'release' | 'decline';
  readonly by: string;
  /** Staff have looked up the transaction that spent the slot, and it does not pay this payout. */
  readonly hasLooked: boolean;
}

/** The payout has another state, or the chain does not allow the decision yet. */
export class PayoutDecisionError extends Error {
  override readonly name = 'PayoutDecisionError';
}

const fateColumn = `case
    when p.state = 'displaced' then 'spent-by-stranger'
    when exists (select 1 from coin_transaction t where t.operator_id = p.operator_id and t.withdrawal_id = p.withdrawal_id)
        and not exists (select 1 from coin_transaction t where t.operator_id = p.operator_id and t.withdrawal_id = p.withdrawal_id
          and t.expired_at is null) then 'expired'
    when exists (select 1 from coin_slot own join coin_slot other on (other.chain, other.wallet, other.slot) = (own.chain, own.wallet, own.slot)
        and other.withdrawal_id <> own.withdrawal_id join coin_payout q on q.operator_id = other.operator_id
          and q.withdrawal_id = other.withdrawal_id
      where own.operator_id = p.operator_id and own.withdrawal_id = p.withdrawal_id and q.state in ('confirmed', 'failed')
        and not other.is_released)
      then 'spent-by-payout'
    when exists (select 1 from coin_slot own join coin_slot other on (other.chain, other.wallet, other.slot) = (own.chain, own.wallet, own.slot)
        and other.withdrawal_id <> own.withdrawal_id join coin_payout q on q.operator_id = other.operator_id
          and q.withdrawal_id = other.withdrawal_id
      where own.operator_id = p.operator_id and own.withdrawal_id = p.withdrawal_id and q.state <> 'declined' and not other.is_released)
      then 'reserved'
    else 'free' end as fate`;
const columns = `p.withdrawal_id as "withdrawalId", p.chain, p.coin, p.state, p.reason, ${fateColumn}`;

/** The payouts of an operator that staff must look at, the oldest first. */
export function checkedPayouts(queryable: Queryable, operatorId: string, most: number): Promise<CheckedPayout[]> {
  return queryable.query({
    text: `select ${columns} from coin_payout p where operator_id = $1 and reported_at is null and state in ('refused', 'displaced')
      order by created_at, withdrawal_id limit $2`,
    values: [operatorId, most],
  });
}

export interface WaitingPayout {
  readonly withdrawalId: string;
  readonly chain: string;
  readonly coin: string;
  /** A decimal amount. */
  readonly amount: string;
  readonly address: string;
  readonly reason: string | null;
}

/** The payouts of an operator that have not begun, the oldest first. */
export async function waitingPayouts(queryable: Queryable, operatorId: string, most: number): Promise<WaitingPayout[]> {
  const rows = await queryable.query<Omit<WaitingPayout, 'amount'> & { readonly minor: bigint }>({
    text: `select withdrawal_id as "withdrawalId", chain, coin, minor, address, reason from coin_payout
      where operator_id = $1 and reported_at is null and state = 'queued' order by created_at, withdrawal_id limit $2`,
    values: [operatorId, most],
  });
  return rows.map(({ minor, ...row }) => ({ ...row, amount: toDecimalString(minor, BOOK_DECIMALS) }));
}

/** @throws PayoutDecisionError when nothing was changed */
export async function decidePayout(database: Database, wanted: PayoutDecision): Promise<ChainPayoutState> {
  try {
    return await decideOnce(database, wanted);
  } catch (error) {
    // Another payout got the slot after this one was found free.
    if (isSlotTaken(error)) throw new PayoutDecisionError(WHY.reserved, { cause: error });
    throw error;
  }
}

function decideOnce(database: Database, wanted: PayoutDecision): Promise<ChainPayoutState> {
  return database.transaction(async (transaction) => {
    const { operatorId, withdrawalId } = wanted;
    await transaction.query({
      text: 'select 1 from coin_payout where operator_id = $1 and withdrawal_id = $2 for update',
      values: [operatorId, withdrawalId],
    });
    const [found] = await transaction.query<CheckedPayout>({
      text: `select ${columns} from coin_payout p where operator_id = $1 and withdrawal_id = $2`,
      values: [operatorId, withdrawalId],
    });
    if (found === undefined) throw new PayoutDecisionError('This operator has no such coin payout.');
    const state = await carryOut(transaction, wanted, found);
    await recordDecision(transaction, wanted, found);
    return state;
  });
}

async function carryOut(transaction: Transaction, wanted: PayoutDecision, { state, fate }: CheckedPayout) {
  const { decision, hasLooked } = wanted;
  if (decision === 'decline') {
    if (!mayDecline(state, fate, hasLooked)) throw notNow(state, fate);
    return moveTo(transaction, wanted, 'declined', undefined);
  }
  if (decision === 'release') {
    if (state !== 'refused' || fate !== 'free') throw notNow(state, fate);
    return moveTo(transaction, wanted, 'refused', true);
  }
  const way = wayToPay(state, fate);
  if (way === undefined) throw notNow(state, fate);
  if (way === 'new-slot') return moveTo(transaction, wanted, 'queued', true);
  await takeBackSlots(transaction, wanted);
  return moveTo(transaction, wanted, 'prepared', false);
}

/** A payout that had them meanwhile was declined, since somebody else spent them. The next look at the chain will say so of this one, too. */
async function takeBackSlots(transaction: Transaction, { operatorId, withdrawalId }: PayoutDecision): Promise<void> {
  await transaction.query({
    text: `update coin_slot other set is_released = true from coin_slot own, coin_payout q
      where own.operator_id = $1 and own.withdrawal_id = $2 and (other.chain, other.wallet, other.slot) = (own.chain, own.wallet, own.slot)
        and other.withdrawal_id <> own.withdrawal_id and not other.is_released
        and (q.operator_id, q.withdrawal_id) = (other.operator_id, other.withdrawal_id) and q.state = 'declined'`,
    values: [operatorId, withdrawalId],
  });
}

/** @param isReleased whether other payouts may use the slots. Absent: as before */
async function moveTo(
  transaction: Transaction,
  { operatorId, withdrawalId }: PayoutDecision,
  to: ChainPayoutState,
  isReleased: boolean | undefined,
): Promise<ChainPayoutState> {
  await transaction.query({
    text: `update coin_payout set state = $3, reason = case when $3 = 'refused' then reason end
      where operator_id = $1 and withdrawal_id = $2`,
    values: [operatorId, withdrawalId, to],
  });
  if (isReleased !== undefined) {
    await transaction.query({
      text: 'update coin_slot set is_released = $3 where operator_id = $1 and withdrawal_id = $2',
      values: [operatorId, withdrawalId, isReleased],
    });
  }
  return to;
}

/** @param before how the payout stood */
async function recordDecision(
  transaction: Transaction,
  { operatorId, withdrawalId, decision, hasLooked, by }: PayoutDecision,
  before: Pick<CheckedPayout, 'state' | 'reason'>,
): Promise<void> {
  await transaction.query({
    text: `insert into coin_payout_decision (operator_id, withdrawal_id, decision, state, reason, has_looked, by)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [operatorId, withdrawalId, decision, before.state, before.reason, hasLooked, by],
  });
}

export interface PastDecision {
  readonly at: Date;
  readonly by: string;
  readonly decision: PayoutDecision['decision'] | 'paid';
  /** How the payout stood before it, and the reason that it had. */
  readonly state: ChainPayoutState;
  readonly reason: string | null;
  readonly hasLooked: boolean;
  /** The transaction that staff named as the payment. */
  readonly hash: string | null;
}

/** What staff have decided about one payout, the oldest first. */
export function pastDecisions(
  queryable: Queryable,
  {
    operatorId,
    withdrawalId,
    most,
  }: { readonly operatorId: string; readonly withdrawalId: string; readonly most: number },
): Promise<PastDecision[]> {
  return queryable.query({
    text: `select at, by, decision, state, reason, has_looked as "hasLooked", hash from coin_payout_decision
      where operator_id = $1 and withdrawal_id = $2 order by id limit $3`,
    values: [operatorId, withdrawalId, most],
  });
}

const WHY: Readonly<Record<SlotFate, string>> = {
  free: 'Its transaction can still be mined. Pay it again, or release its slot first.',
  reserved: 'Another payout has its slot. Wait until that one has ended.',
  'spent-by-payout': 'Its transaction can never be mined. Pay it again, or decline it.',
  'spent-by-stranger': 'An unknown transaction spent its slot. Look it up on the chain first.',
  expired: 'Its transaction has expired. Pay it again, or decline it.',
};

function notNow(state: ChainPayoutState, fate: SlotFate): PayoutDecisionError {
  if (state !== 'refused' && state !== 'displaced')
    return new PayoutDecisionError(`The payout is ${state}, not being checked.`);
  return new PayoutDecisionError(WHY[fate]);
}
