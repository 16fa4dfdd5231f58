/** Cancelling by the user: a compare-and-set that loses against any payment; before the create it leaves a tombstone (DEP-11). */
import type { Transaction as TransactionView } from '@opencashier/contract/api';
import { canUserCancelDeposit } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Transaction } from '../database/database.ts';
import type { CancelOptions } from '../lifecycle/cancel-options.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { type DepositRow, isMoneySeen, transactionView } from './deposit-row.ts';
import { type DepositKey, findByKey, lockDeposit, moveDeposit } from './deposit-store.ts';
import { cancelAtProvider } from './submit-deposit.ts';

export async function cancelDeposit(
  core: PaymentsCore,
  key: DepositKey,
  { ifUnknown = false }: CancelOptions = {},
): Promise<{ isCancelled: boolean; transaction?: TransactionView }> {
  const { row, isMoved } = await core.database.transaction((transaction) =>
    cancelOnce(core, transaction, key, ifUnknown),
  );
  core.failpoint?.('cancel-committed');
  if (row === undefined) return { isCancelled: true };
  if (isMoved) {
    core.onChange();
    const provider = core.providers.get(row.provider);
    // While the create is still under way its own end cancels at the provider: only then is the payment's name known.
    if (provider !== undefined) await cancelAtProvider(core, provider, row);
    core.failpoint?.('cancel-told');
  }
  return { isCancelled: row.state === 'cancelled', transaction: transactionView(row) };
}

async function cancelOnce(
  core: PaymentsCore,
  transaction: Transaction,
  key: DepositKey,
  ifUnknown: boolean,
): Promise<{ readonly row?: DepositRow; readonly isMoved: boolean }> {
  // Whoever takes the key first wins: this insert waits for a create that is being committed, and the other way round.
  await transaction.query({
    name: 'deposit-tombstone',
    text: `insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ($1, $2, $3, null)
      on conflict do nothing`,
    values: [key.operatorId, key.userId, key.publicId],
  });
  const known = await findByKey(transaction, key);
  if (known === undefined) throw new Error('A key was taken and is gone');
  if (known.kind === 'tombstone') return { isMoved: false };
  if (ifUnknown) return { row: known.row, isMoved: false };
  const row = await lockDeposit(transaction, known.row.id);
  if (row === undefined) throw new Error(`Deposit ${known.row.id} is gone`);
  // Money that people look at is no longer the user's to cancel.
  if (!canUserCancelDeposit(row.state, isMoneySeen(row)) || row.review !== null) return { row, isMoved: false };
  const after = await moveDeposit(transaction, row, {
    to: 'cancelled',
    cause: 'user',
    reason: 'transaction.reason.cancelled',
  });
  core.failpoint?.('cancel-uncommitted');
  return { row: after, isMoved: true };
}
