/** Which withdrawals wait for people of the operator, read from the database each time so that a change counts at once (SRV-1). */
import {
  approvalsNeeded,
  DAY_MS,
  DAY_STATES,
  type NeededApprovals,
} from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Queryable, Transaction } from '../database/database.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { moveWithdrawal } from './withdrawal-store.ts';

/** Minor units of `currency`; above `one` somebody approves, above `two` somebody else too, above `day` what goes beyond it. */
export interface ApprovalThreshold {
  readonly currency: string;
  readonly one: bigint | null;
  readonly two: bigint | null;
  /** Of what one user withdraws in 24 hours. */
  readonly day: bigint | null;
}

export interface ApprovalSettings {
  /** Of currencies without one nothing needs approval. */
  readonly thresholds: readonly ApprovalThreshold[];
  /** How long a withdrawal waits before its amount goes back. */
  readonly hours: number;
}

export async function readApprovalSettings(queryable: Queryable, operatorId: string): Promise<ApprovalSettings> {
  const thresholds = await queryable.query<ApprovalThreshold>({
    name: 'approval-thresholds',
    text: 'select currency, one, two, day from approval_threshold where operator_id = $1 order by currency',
    values: [operatorId],
  });
  const [operator] = await queryable.query<{ hours: number }>({
    name: 'approval-hours',
    text: 'select approval_hours as hours from operator where id = $1',
    values: [operatorId],
  });
  if (operator === undefined) throw new Error(`There is no operator ${operatorId}`);
  return { thresholds, hours: operator.hours };
}

/** Replaces all of it. What waits already is left as it is. */
export async function writeApprovalSettings(
  transaction: Transaction,
  operatorId: string,
  { thresholds, hours }: ApprovalSettings,
): Promise<void> {
  await transaction.query({
    text: 'update operator set approval_hours = $2 where id = $1',
    values: [operatorId, hours],
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
 * By the thresholds of now, and by what the user has begun to withdraw in the last 24 hours and has confirmed.
 * @param row of an account that the transaction has locked, so that of two confirms at once the second one counts the first
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

/** A confirmed withdrawal waits: its amount stays held, and the operator is told. */
export async function letWait(
  transaction: Transaction,
  row: WithdrawalRow,
  { needed, because }: NeededApprovals,
): Promise<WithdrawalRow> {
  await transaction.query({
    name: 'withdrawal-wait',
    text: `update withdrawal set approvals_needed = $2, approval_because = $3, approval_since = now(),
        expires_at = now() + make_interval(hours => (select approval_hours from operator where id = operator_id))
      where id = $1`,
    values: [row.id, needed, because ?? null],
  });
  return moveWithdrawal(transaction, row, { to: 'awaiting_approval', cause: 'user' });
}
