/** Holds: amounts that are reserved first, and then posted or voided exactly once (WD-2). */
import type { Transaction } from '../database/database.ts';
import { bookedLines } from './booked-lines.ts';
import { FrozenAccountError, lockUserBalance, type PostingLine, postJournal } from './ledger.ts';
import type { UserAccountKind } from './user-accounts.ts';

const SOURCE = 'hold';

/** An amount of a user that waits for a payout or a refund. */
export interface Hold {
  readonly operatorId: string;
  /** Unique and permanent, such as the withdrawal's id. */
  readonly holdId: string;
  /** Set for the hold of a withdrawal, for readers of the journal. */
  readonly withdrawalId?: string;
  /** Set for the hold of a refund. */
  readonly depositId?: string;
  readonly paymentId?: string;
  readonly refundId?: string;
  readonly userId: string;
  readonly asset: string;
  /** The account that is debited, and credited again when the hold is voided. Default: `user`. */
  readonly account?: UserAccountKind;
  /** Minor units, above zero. */
  readonly amount: bigint;
  /** The part of the amount that comes from the fee of the refunded deposit and not from the user. Absent: none. */
  readonly feeBack?: bigint;
}

/**
 * Moves an amount from the user's available balance to the user's hold account.
 * @returns `duplicate` when the hold already exists
 * @throws InsufficientFundsError, FrozenAccountError
 */
export async function createHold(transaction: Transaction, hold: Hold): Promise<'posted' | 'duplicate'> {
  if (hold.amount <= 0n) throw new RangeError('A hold must be above zero');
  const { operatorId, userId, asset, account = 'user', feeBack = 0n } = hold;
  if (await lockAndCheckFrozen(transaction, hold)) throw new FrozenAccountError('The account is frozen');
  return postJournal(transaction, {
    operatorId,
    kind: 'hold',
    ...(hold.withdrawalId !== undefined && { withdrawalId: hold.withdrawalId }),
    ...refundOf(hold),
    source: SOURCE,
    ref: hold.holdId,
    lines: [
      { owner: userId, asset, kind: account, amount: feeBack - hold.amount },
      { owner: '', asset, kind: 'deposit_fee' as const, amount: -feeBack },
      { owner: userId, asset, kind: 'user_hold' as const, amount: hold.amount },
    ].filter(({ amount }) => amount !== 0n),
  });
}

/**
 * Whether an account is frozen until staff decide. Locks the account: a concurrent freeze either comes first, or
 * sees the money that has left.
 */
export async function lockAndCheckFrozen(
  transaction: Transaction,
  { operatorId, userId, asset, account = 'user' }: Pick<Hold, 'operatorId' | 'userId' | 'asset' | 'account'>,
): Promise<boolean> {
  // A debt freezes the main account, so no money may leave by another account of the user either.
  const main = await lockUserBalance(transaction, operatorId, userId, asset);
  const own = account === 'user' ? main : await lockUserBalance(transaction, operatorId, userId, asset, account);
  return main.isFrozen || own.isFrozen;
}

/**
 * Ends a hold once: `post` pays it out, `void` returns it. Both are booked as the same kind of the same fact, so only
 * one of them can succeed. Of a posted hold, `fee` stays with the operator, and `pays` names where the rest goes.
 * @returns `duplicate` when the hold has already ended
 * @throws Error when the hold does not exist
 */
export async function endHold(
  transaction: Transaction,
  end: {
    readonly operatorId: string;
    readonly holdId: string;
    readonly withdrawalId?: string;
    readonly depositId?: string;
    readonly paymentId?: string;
    readonly refundId?: string;
  } & (
    | { readonly how: 'void' }
    | {
        readonly how: 'post';
        readonly pays: readonly PostingLine[];
        readonly fee?: bigint;
        /** Of a withdrawal's hold: the payout by which the money leaves. */
        readonly payoutId?: string;
      }
  ),
): Promise<'posted' | 'duplicate'> {
  const { operatorId, holdId: ref } = end;
  const lines = await bookedLines(transaction, { operatorId, source: SOURCE, ref, kind: 'hold' });
  const held = lines.find((line) => line.kind === 'user_hold');
  if (held === undefined) throw new Error(`There is no hold ${end.holdId}`);
  // The same lock order as for a new hold, so that the two never deadlock.
  const sources = lines.filter((line) => line.amount < 0n);
  for (const { owner, asset, kind } of sources) {
    if (owner === held.owner) await lockUserBalance(transaction, end.operatorId, owner, asset, kind);
  }
  const fee = end.how === 'post' ? (end.fee ?? 0n) : 0n;
  const creditLines = end.how === 'void' ? sources.map((line) => ({ ...line, amount: -line.amount })) : end.pays;
  const kept: PostingLine[] = [{ owner: '', asset: held.asset, kind: 'withdrawal_fee', amount: fee }];
  return postJournal(transaction, {
    operatorId: end.operatorId,
    kind: 'hold_end',
    ...(end.withdrawalId !== undefined && { withdrawalId: end.withdrawalId }),
    ...refundOf(end),
    ...(end.how === 'post' && end.payoutId !== undefined && { payoutId: end.payoutId }),
    source: SOURCE,
    ref: end.holdId,
    note: end.how,
    lines: [
      { owner: held.owner, asset: held.asset, kind: 'user_hold', amount: -held.amount },
      ...creditLines,
      ...kept.filter((line) => line.amount !== 0n),
    ],
  });
}

type RefundNames = Pick<Hold, 'depositId' | 'paymentId' | 'refundId'>;

function refundOf({ depositId, paymentId, refundId }: RefundNames): RefundNames {
  return {
    ...(depositId !== undefined && { depositId }),
    ...(paymentId !== undefined && { paymentId }),
    ...(refundId !== undefined && { refundId }),
  };
}
