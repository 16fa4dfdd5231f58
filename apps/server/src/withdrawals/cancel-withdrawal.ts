/**
 * Cancels by the user, and expires unconfirmed withdrawals. Only an unsubmitted withdrawal releases its hold this
 * way.
 */
import { type ResponseOf, transactionStatusCodes, type withdrawalCancel } from '@opencashier/contract/api';
import {
  canUserCancelWithdrawal,
  endedState,
  statusOfWithdrawalState,
} from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import { DomainError } from '../errors/domain-error.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import type { CancelOptions, PaymentsCore } from '../payment-ports/payments-core.ts';
import {
  findWithdrawal,
  insertTombstone,
  lockWithdrawal,
  moveWithdrawal,
  type WithdrawalId,
  type WithdrawalKey,
} from './withdrawal-store.ts';

/** States in which a cancel has nothing to do. */
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'expired', 'refused']);

/**
 * Cancels a withdrawal. A retry gets the same answer. A cancel before the create stores a tombstone, which refuses
 * the late create.
 */
export async function cancelWithdrawal(
  core: PaymentsCore,
  key: WithdrawalKey,
  { ifUnknown = false }: CancelOptions = {},
): Promise<ResponseOf<typeof withdrawalCancel>> {
  const row = await core.database.transaction(async (transaction) => {
    await insertTombstone(transaction, key);
    const found = await findWithdrawal(transaction, key, true);
    if (ifUnknown || found === undefined || ENDED.has(found.state)) return found;
    if (!canUserCancelWithdrawal(found.state)) {
      throw new DomainError('state-conflict', 'This withdrawal was submitted and can no longer be cancelled');
    }
    const after = await moveWithdrawal(transaction, found, {
      to: endedState(found.state, 'cancelled'),
      cause: 'user',
      reason: 'withdrawal.reason.cancelled',
    });
    core.failpoint?.('withdrawal-cancel-uncommitted');
    return after;
  });
  core.failpoint?.('withdrawal-cancelled');
  if (!ifUnknown) core.onChange();
  const status = transactionStatusCodes[statusOfWithdrawalState(row?.state ?? 'cancelled')];
  return { withdrawalId: key.publicId, status, ...(ifUnknown && { isVoided: row === undefined }) };
}

const BATCH = 20;

/**
 * Background work that ends withdrawals that were not confirmed or approved in time, by the database's clock. It also ends those whose
 * amount the operator's wallet has not given in time; what it gives later goes back.
 */
export function expireWithdrawals(core: PaymentsCore): DueWork<WithdrawalId> {
  return {
    name: 'withdrawal-expiry',
    idleMs: 1000,
    isByTimeAlone: true,
    async claim() {
      return core.database.query<WithdrawalId>({
        name: 'withdrawal-overdue',
        text: `select operator_id as "operatorId", id from (
            (select operator_id, id, expires_at from withdrawal where state = 'held' and expires_at <= now()
              order by expires_at limit $1)
            union all
            (select operator_id, id, expires_at from withdrawal where state = 'checking' and expires_at <= now()
              order by expires_at limit $1)
            union all
            (select operator_id, id, expires_at from withdrawal where state = 'awaiting_approval' and expires_at <= now()
              order by expires_at limit $1)
          ) overdue order by expires_at limit $1`,
        values: [BATCH],
      });
    },
    async handle(overdue) {
      await core.database.transaction(async (transaction) => {
        const row = await lockWithdrawal(transaction, overdue);
        if (!canUserCancelWithdrawal(row.state) || !row.isOverdue) return;
        await moveWithdrawal(transaction, row, {
          to: endedState(row.state, 'expired'),
          cause: 'expiry',
          reason: row.state === 'awaiting_approval' ? 'withdrawal.reason.unapproved' : 'withdrawal.reason.expired',
        });
        core.failpoint?.('withdrawal-expiry-uncommitted');
      });
      core.failpoint?.('withdrawal-expired');
      core.onChange();
    },
  };
}
