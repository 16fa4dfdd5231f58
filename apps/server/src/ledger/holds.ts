/** Money that is promised but not gone: held first, then posted or voided exactly once (WD-2). */
import type { Transaction } from '../database/database.ts';
import { FrozenAccountError, lockUserBalance, postJournal } from './ledger.ts';

const SOURCE = 'hold';

export interface Hold {
  readonly operatorId: string;
  /** Such as the withdrawal's id; names the hold for ever. */
  readonly holdId: string;
  readonly userId: string;
  readonly asset: string;
  /** Minor units, above zero. */
  readonly amount: bigint;
}

/**
 * Moves an amount from what the user may spend to what is held.
 * @returns `duplicate` when this hold was made before
 * @throws InsufficientFundsError, FrozenAccountError
 */
export async function createHold(transaction: Transaction, hold: Hold): Promise<'posted' | 'duplicate'> {
  if (hold.amount <= 0n) throw new RangeError('A hold is of more than nothing');
  const account = await lockUserBalance(transaction, hold.operatorId, hold.userId, hold.asset);
  if (account.isFrozen) throw new FrozenAccountError('The account is frozen');
  return postJournal(transaction, {
    operatorId: hold.operatorId,
    kind: 'hold',
    source: SOURCE,
    ref: hold.holdId,
    lines: [
      { owner: hold.userId, asset: hold.asset, kind: 'user', amount: -hold.amount },
      { owner: hold.userId, asset: hold.asset, kind: 'user_hold', amount: hold.amount },
    ],
  });
}

/**
 * Ends a hold: `post` pays it out through a provider, `void` gives it back. One of the two, once: both are booked as the same
 * kind of the same fact.
 * @returns `duplicate` when the hold had ended already
 * @throws Error when there is no such hold
 */
export async function endHold(
  transaction: Transaction,
  end: { readonly operatorId: string; readonly holdId: string } & (
    | { readonly how: 'void' }
    | { readonly how: 'post'; readonly provider: string }
  ),
): Promise<'posted' | 'duplicate'> {
  const [held] = await transaction.query<{ owner: string; asset: string; amount: bigint }>({
    text: `select account.owner, account.asset, posting.amount from journal
      join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id and account.kind = 'user_hold'
      where journal.operator_id = $1 and journal.ext_source = $2 and journal.ext_ref = $3 and journal.kind = 'hold'`,
    values: [end.operatorId, SOURCE, end.holdId],
  });
  if (held === undefined) throw new Error(`There is no hold ${end.holdId}`);
  const goesTo =
    end.how === 'void'
      ? ({ owner: held.owner, kind: 'user' } as const)
      : ({ owner: end.provider, kind: 'provider_clearing' } as const);
  return postJournal(transaction, {
    operatorId: end.operatorId,
    kind: 'hold_end',
    source: SOURCE,
    ref: end.holdId,
    note: end.how,
    lines: [
      { owner: held.owner, asset: held.asset, kind: 'user_hold', amount: -held.amount },
      { ...goesTo, asset: held.asset, amount: held.amount },
    ],
  });
}
