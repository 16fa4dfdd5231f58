/** Which withdrawals wait for people of the operator, read from the database each time so that a change counts at once (SRV-1). */
import { approvalsNeeded } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Queryable, Transaction } from '../../database/database.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { moveWithdrawal } from './withdrawal-store.ts';

/** Minor units of `currency`; above `one` somebody approves, above `two` somebody else too. */
export interface ApprovalThreshold {
  readonly currency: string;
  readonly one: bigint;
  readonly two: bigint | null;
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
    text: 'select currency, one, two from approval_threshold where operator_id = $1 order by currency',
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
  for (const { currency, one, two } of thresholds) {
    await transaction.query({
      text: 'insert into approval_threshold (operator_id, currency, one, two) values ($1, $2, $3, $4)',
      values: [operatorId, currency, one, two],
    });
  }
}

/** By the thresholds of now. */
export async function approvalsNeededNow(
  queryable: Queryable,
  { operatorId, currency, amount }: Pick<WithdrawalRow, 'operatorId' | 'currency' | 'amount'>,
): Promise<0 | 1 | 2> {
  const [found] = await queryable.query<ApprovalThreshold>({
    name: 'approval-threshold',
    text: 'select currency, one, two from approval_threshold where operator_id = $1 and currency = $2',
    values: [operatorId, currency],
  });
  return approvalsNeeded(amount, found && { one: found.one, two: found.two ?? undefined });
}

/** A confirmed withdrawal waits: its amount stays held, and the operator is told. */
export async function letWait(transaction: Transaction, row: WithdrawalRow, needed: number): Promise<WithdrawalRow> {
  await transaction.query({
    name: 'withdrawal-wait',
    text: `update withdrawal set approvals_needed = $2, approval_since = now(),
        expires_at = now() + make_interval(hours => (select approval_hours from operator where id = operator_id))
      where id = $1`,
    values: [row.id, needed],
  });
  return moveWithdrawal(transaction, row, { to: 'awaiting_approval', cause: 'user' });
}
