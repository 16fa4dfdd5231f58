/**
 * The approval settings of an operator (SRV-1). They are read from the database each time, so that a change applies
 * at once.
 */
import {
  approvalsNeeded,
  DAY_MS,
  DAY_STATES,
  type NeededApprovals,
} from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Queryable, Transaction } from '../database/database.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { moveWithdrawal } from './withdrawal-store.ts';

/** Thresholds in minor units of `currency`. An amount above `one` needs one approval, above `two` a second one. */
export interface ApprovalThreshold {
  readonly currency: string;
  readonly one: bigint | null;
  readonly two: bigint | null;
  /** A user's sum of 24 hours. A withdrawal that exceeds the limit needs one approval. */
  readonly day: bigint | null;
}

/** The approval settings of an operator. */
export interface ApprovalSettings {
  /** Withdrawals in other currencies need no approval. */
  readonly thresholds: readonly ApprovalThreshold[];
  /** Hours that a withdrawal waits for approval before its hold is released. */
  readonly hours: number;
  /** Whether two approvals of a withdrawal need two API keys. */
  readonly differentKeys: boolean;
}

/** Reads the approval settings of an operator. */
export async function readApprovalSettings(queryable: Queryable, operatorId: string): Promise<ApprovalSettings> {
  const thresholds = await queryable.query<ApprovalThreshold>({
    name: 'approval-thresholds',
    text: 'select currency, one, two, day from approval_threshold where operator_id = $1 order by currency',
    values: [operatorId],
  });
  const [operator] = await queryable.query<{ hours: number; differentKeys: boolean }>({
    name: 'approval-hours',
    text: `select approval_hours as hours, approvals_by_different_keys as "differentKeys" from operator where id = $1`,
    values: [operatorId],
  });
  if (operator === undefined) throw new Error(`There is no operator ${operatorId}`);
  return { thresholds, ...operator };
}

/** Replaces all settings. Withdrawals that wait already are unchanged. */
export async function writeApprovalSettings(
  transaction: Transaction,
  operatorId: string,
  { thresholds, hours, differentKeys }: ApprovalSettings,
): Promise<void> {
  await transaction.query({
    text: 'update operator set approval_hours = $2, approvals_by_different_keys = $3 where id = $1',
    values: [operatorId, hours, differentKeys],
  });
  await transaction.query({ text: 'delete from approval_threshold where operator_id = $1', values: [operatorId] });
  for (const { currency, one, two, day } of thresholds) {
    await transaction.query({
      text: 'insert into approval_threshold (operator_id, currency, one, two, day) values ($1, $2, $3, $4, $5)',
      values: [operatorId, currency, one, two, day],
    });
  }
}

/**
 * The approvals that a withdrawal needs, by the present thresholds and the user's confirmed withdrawals of the last
 * 24 hours.
 * @param row the transaction must hold the lock of its account, so that concurrent confirms count each other
 * @param now ms since epoch
 */
export async function approvalsNeededNow(
  queryable: Queryable,
  { id, operatorId, userId, currency, amount }: WithdrawalRow,
  now: number,
): Promise<NeededApprovals> {
  const [found] = await queryable.query<ApprovalThreshold & { before: bigint | null }>({
    name: 'approval-threshold',
    text: `select currency, one, two, day, case when day is not null then (
          select coalesce(sum(amount), 0)::bigint from withdrawal where operator_id = $1 and user_id = $3 and currency = $2
            and id <> $4 and created_at > $5 and state = any($6)) end as before
      from approval_threshold where operator_id = $1 and currency = $2`,
    values: [operatorId, currency, userId, id, new Date(now - DAY_MS), [...DAY_STATES]],
  });
  if (found === undefined) return { needed: 0 };
  const { one, two, day, before } = found;
  return approvalsNeeded(amount, before ?? 0n, { one: one ?? undefined, two: two ?? undefined, day: day ?? undefined });
}

/** Makes a confirmed withdrawal wait for approval. Its amount stays held, and the operator gets a webhook. */
export async function moveToAwaitingApproval(
  transaction: Transaction,
  row: WithdrawalRow,
  { needed, because }: NeededApprovals,
): Promise<WithdrawalRow> {
  await transaction.query({
    name: 'withdrawal-wait',
    text: `update withdrawal set approvals_needed = $2, approval_because = $3, approval_since = now(),
        expires_at = now() + make_interval(hours => (select approval_hours from operator where id = operator_id))
      where operator_id = $4 and id = $1`,
    values: [row.id, needed, because ?? null, row.operatorId],
  });
  return moveWithdrawal(transaction, row, { to: 'awaiting_approval', cause: 'user' });
}
