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
import { dueByLane, placesTaken } from '../jobs/lanes.ts';
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

/** Expiries of one operator in hand at a time, per node. */
const PLACES_PER_OPERATOR = 4;
/** Longer than the transaction of an expiry. When a node dies during one, another node continues after this time. */
const LEASE_S = 30;

/** The condition of the index `withdrawal_due_expiry`. */
const WAITS_FOR_PEOPLE = `state in ('held', 'checking', 'awaiting_approval')`;

const overdue = dueByLane({
  table: 'withdrawal',
  column: 'operator_id',
  waiting: WAITS_FOR_PEOPLE,
  // The lease is part of the order. Otherwise a claim would read all rows that others hold, before each free one.
  due: 'greatest(expires_at, busy_until) <= now()',
  order: 'greatest(expires_at, busy_until)',
  key: 'operator_id, id',
});

/**
 * Background work that ends withdrawals that were not confirmed or approved in time, by the database's clock. It also ends those whose
 * amount the operator's wallet has not given in time; what it gives later goes back. Each operator has places of its own, so that many
 * expiries of one delay no other.
 */
export function expireWithdrawals(
  core: Pick<PaymentsCore, 'database' | 'failpoint' | 'onChange'>,
): DueWork<WithdrawalId> {
  return {
    name: 'withdrawal-expiry',
    idleMs: 1000,
    isByTimeAlone: true,
    isContinuous: true,
    claim(inHand) {
      const taken = placesTaken(inHand.map(({ operatorId }) => operatorId));
      return core.database.query<WithdrawalId>({
        name: 'withdrawal-overdue',
        text: `update withdrawal set busy_until = now() + make_interval(secs => $4)
          where (operator_id, id) in (${overdue}) returning operator_id as "operatorId", id`,
        values: [PLACES_PER_OPERATOR, taken.names, taken.counts, LEASE_S],
      });
    },
    async handle(claimed) {
      await core.database.transaction(async (transaction) => {
        const row = await lockWithdrawal(transaction, claimed);
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
    async giveBack(rows) {
      await core.database.query({
        name: 'withdrawal-expiry-give-back',
        text: `update withdrawal set busy_until = null from unnest($1::text[], $2::uuid[]) given(operator_id, id)
          where withdrawal.operator_id = given.operator_id and withdrawal.id = given.id and ${WAITS_FOR_PEOPLE}`,
        values: [rows.map(({ operatorId }) => operatorId), rows.map(({ id }) => id)],
      });
    },
  };
}
