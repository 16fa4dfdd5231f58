/**
 * Cancels by the user (DEP-11). A cancel loses against any payment. A cancel before the create stores a tombstone,
 * which refuses the late create.
 */
import type { Transaction as TransactionView } from '@opencashier/contract/api';
import { canUserCancelDeposit } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Transaction } from '../database/database.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { CancelOptions, PaymentsCore } from '../payment-ports/payments-core.ts';
import { type DepositRow, isMoneySeen, transactionView } from './deposit-row.ts';
import { type DepositKey, findByKey, lockDeposit, moveDeposit } from './deposit-store.ts';
import { cancelAtProvider } from './submit-deposit.ts';

/** Cancels a deposit if that is still possible, also at the provider. */
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
    const provider = await providerOf(core, row);
    // If the create call is still running, it cancels at the provider when it ends. The provider's reference is
    // unknown before.
    if (provider !== undefined) await cancelAtProvider(core, provider, row);
    core.failpoint?.('cancel-sent');
  }
  return { isCancelled: row.state === 'cancelled', transaction: transactionView(row) };
}

async function cancelOnce(
  core: PaymentsCore,
  transaction: Transaction,
  key: DepositKey,
  ifUnknown: boolean,
): Promise<{ readonly row?: DepositRow; readonly isMoved: boolean }> {
  // The first insert of the key wins. This insert waits for a create that is committing, and a create waits for this
  // insert.
  await transaction.query({
    name: 'deposit-tombstone',
    text: `insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ($1, $2, $3, null)
      on conflict do nothing`,
    values: [key.operatorId, key.userId, key.publicId],
  });
  const known = await findByKey(transaction, key);
  if (known === undefined) throw new Error('A stored key was deleted');
  if (known.kind === 'tombstone') return { isMoved: false };
  if (ifUnknown) return { row: known.row, isMoved: false };
  const row = await lockDeposit(transaction, known.row);
  if (row === undefined) throw new Error(`Deposit ${known.row.id} no longer exists`);
  // A payment under review can no longer be cancelled.
  if (!canUserCancelDeposit(row.state, isMoneySeen(row)) || row.review !== null) return { row, isMoved: false };
  const after = await moveDeposit(transaction, row, {
    to: 'cancelled',
    cause: 'user',
    reason: 'transaction.reason.cancelled',
  });
  core.failpoint?.('cancel-uncommitted');
  return { row: after, isMoved: true };
}
