/** Cancelling by the user, and the end of what nobody confirmed: only what was never submitted gives its hold back so. */
import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { canUserCancelWithdrawal } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import { CallFailure } from '../../calls/call.ts';
import type { DueWork } from '../../jobs/due-worker.ts';
import type { PaymentsCore } from '../payments-core.ts';
import { withdrawalView } from './withdrawal-row.ts';
import { findWithdrawal, lockWithdrawal, moveWithdrawal, type WithdrawalKey } from './withdrawal-store.ts';

/** A repeat answers the same. */
export async function cancelWithdrawal(core: PaymentsCore, key: WithdrawalKey): Promise<WithdrawalTransaction> {
  const row = await core.database.transaction(async (transaction) => {
    const found = await findWithdrawal(transaction, key, true);
    if (found === undefined) throw new CallFailure('not-found', 'There is no such withdrawal');
    if (found.state === 'cancelled' || found.state === 'expired') return found;
    if (!canUserCancelWithdrawal(found.state)) {
      throw new CallFailure('state-conflict', 'This withdrawal was submitted and can no longer be cancelled');
    }
    return moveWithdrawal(transaction, found, {
      to: 'cancelled',
      cause: 'user',
      reason: 'withdrawal.reason.cancelled',
    });
  });
  core.onChange();
  return withdrawalView(row);
}

const BATCH = 20;

/** Gives back what nobody confirmed in time, by the database's clock. */
export function expireWithdrawals(core: PaymentsCore): DueWork<string> {
  return {
    name: 'withdrawal-expiry',
    idleMs: 1000,
    async claim() {
      const rows = await core.database.query<{ id: string }>({
        name: 'withdrawal-overdue',
        text: `select id from withdrawal where state = 'held' and expires_at <= now() order by expires_at limit $1`,
        values: [BATCH],
      });
      return rows.map(({ id }) => id);
    },
    async handle(id) {
      await core.database.transaction(async (transaction) => {
        const row = await lockWithdrawal(transaction, id);
        if (row.state !== 'held' || !row.isOverdue) return;
        await moveWithdrawal(transaction, row, {
          to: 'expired',
          cause: 'expiry',
          reason: 'withdrawal.reason.expired',
        });
      });
      core.onChange();
    },
  };
}
