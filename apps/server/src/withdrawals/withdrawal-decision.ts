/**
 * Decisions of staff about waiting withdrawals (SRV-1, SRV-3). All run under the lock of the withdrawal's row. So
 * exactly one of approval, decline, cancel and expiry wins.
 */
import { type ApprovalVerdict, judgeApproval } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { readApprovalSettings } from './approval-settings.ts';
import { requestPayout } from './run-payout-effects.ts';
import { readWithdrawal, type WithdrawalRow, withdrawalColumns } from './withdrawal-row.ts';
import { isAccountFrozen, moveWithdrawal } from './withdrawal-store.ts';
import type { DecidedWithdrawal, KnownApproval, MadeDecision, WithdrawalDecision } from './withdrawals.ts';

/**
 * Stores a decision. The reconciler submits the withdrawal to the provider, unless the caller does it at once.
 * @param busyS seconds for which the caller calls the provider itself; absent: the caller does not
 */
export function recordWithdrawalDecision(
  core: Pick<PaymentsCore, 'database' | 'failpoint'>,
  decision: WithdrawalDecision,
  busyS?: number,
): Promise<{ readonly row: WithdrawalRow; readonly isLast: boolean }> {
  return core.database.transaction(async (transaction) => {
    const decided = await decideOnce(transaction, decision, busyS);
    core.failpoint?.('approval-uncommitted');
    return decided;
  });
}

async function decideOnce(
  transaction: Transaction,
  decision: WithdrawalDecision,
  busyS: number | undefined,
): Promise<{ readonly row: WithdrawalRow; readonly isLast: boolean }> {
  const row = await findOwn(transaction, decision, true);
  const known = await findDecision(transaction, decision);
  if (known !== undefined) {
    if (isSame(known, decision)) return { row, isLast: false };
    throw new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
  }
  const approvals = await approvalsOf(transaction, row.operatorId, [row.id]);
  const approvedBy = approvals.map(({ decidedBy }) => decidedBy);
  const isFrozen = await isAccountFrozen(transaction, row);
  const verdict = judgeApproval(
    { state: row.state, needed: row.approvalsNeeded, approvedBy, isOverdue: row.isOverdue, isFrozen },
    decision.decision,
    decision.decidedBy,
  );
  if (verdict.kind === 'refused') {
    throw new DomainError('state-conflict', REFUSALS[verdict.why], { params: { state: row.state } });
  }
  if (decision.decision === 'approve') await refuseSameKey(transaction, decision, approvals);
  await insertDecision(transaction, decision);
  if (verdict.kind === 'counted') return { row, isLast: false };
  const cause = `staff:${decision.decidedBy}`;
  if (verdict.to === 'submitted_unknown') {
    return { row: await requestPayout(transaction, row, { cause, busyS }), isLast: true };
  }
  const reason = 'withdrawal.reason.unapproved';
  return { row: await moveWithdrawal(transaction, row, { to: verdict.to, cause, reason }), isLast: false };
}

/**
 * Where the operator wants it, two approvals need two API keys. The command line has no key, so all its approvals count as one.
 * @throws DomainError state-conflict
 */
async function refuseSameKey(
  transaction: Transaction,
  { operatorId, keyId }: WithdrawalDecision,
  approvals: readonly KnownApproval[],
): Promise<void> {
  if (!approvals.some((approval) => approval.keyId === (keyId ?? null))) return;
  const { differentKeys } = await readApprovalSettings(transaction, operatorId);
  if (differentKeys) throw new DomainError('state-conflict', SAME_KEY, { params: { state: 'awaiting_approval' } });
}

const SAME_KEY = 'This API key has already approved the withdrawal. Another person must approve it with another key.';

const REFUSALS: Readonly<Record<Extract<ApprovalVerdict, { kind: 'refused' }>['why'], string>> = {
  'not-waiting': 'The withdrawal is not waiting for approval.',
  overdue: 'The time to approve or decline the withdrawal has run out.',
  frozen: 'The account is frozen. Decline the withdrawal, or release the account first.',
  'same-person': 'This person has already approved the withdrawal. Another person must approve it.',
};

/**
 * The decision of this key, and the present state of its withdrawal.
 * @throws DomainError not-found
 */
export async function decidedWithdrawal(
  queryable: Queryable,
  decision: WithdrawalDecision,
): Promise<DecidedWithdrawal> {
  const made = await findDecision(queryable, decision);
  if (made === undefined) throw new Error(`Decision ${decision.decisionId} was made and no longer exists`);
  const row = await findOwn(queryable, decision, false);
  return { made, row, approvals: await approvalsOf(queryable, row.operatorId, [row.id]) };
}

/** The approvals of an operator's withdrawals, the first first. */
export function approvalsOf(
  queryable: Queryable,
  operatorId: string,
  withdrawalIds: readonly string[],
): Promise<(KnownApproval & { readonly withdrawalId: string })[]> {
  return queryable.query({
    name: 'withdrawal-approvals',
    text: `select withdrawal_id as "withdrawalId", decided_by as "decidedBy", key_id as "keyId", at from withdrawal_decision
      where operator_id = $1 and withdrawal_id = any($2) and decision = 'approve' order by at, decision_id`,
    values: [operatorId, withdrawalIds],
  });
}

async function findOwn(
  queryable: Queryable,
  { operatorId, withdrawalId }: WithdrawalDecision,
  lock: boolean,
): Promise<WithdrawalRow> {
  const [row] = await queryable.query<WithdrawalRow>({
    name: lock ? 'withdrawal-of-operator-locked' : 'withdrawal-of-operator',
    text: `select ${withdrawalColumns} from withdrawal where operator_id = $1 and id = $2 ${lock ? 'for update' : ''}`,
    values: [operatorId, withdrawalId],
  });
  if (row === undefined) throw new DomainError('not-found', 'Withdrawal not found.');
  return readWithdrawal(row);
}

async function findDecision(
  queryable: Queryable,
  { operatorId, decisionId }: WithdrawalDecision,
): Promise<MadeDecision | undefined> {
  const [known] = await queryable.query<MadeDecision>({
    name: 'withdrawal-decision',
    text: `select decision_id as "decisionId", withdrawal_id as "withdrawalId", decision, decided_by as "decidedBy", key_id as "keyId", at
      from withdrawal_decision where operator_id = $1 and decision_id = $2`,
    values: [operatorId, decisionId],
  });
  return known;
}

/** True for a retry of the same decision. The text of the reason may differ. */
function isSame(known: MadeDecision, { withdrawalId, decision, decidedBy }: WithdrawalDecision): boolean {
  return known.withdrawalId === withdrawalId && known.decision === decision && known.decidedBy === decidedBy;
}

async function insertDecision(transaction: Transaction, decision: WithdrawalDecision): Promise<void> {
  const { operatorId, decisionId, withdrawalId, decidedBy, keyId, reason } = decision;
  const inserted = await transaction.query({
    name: 'withdrawal-decide',
    text: `insert into withdrawal_decision (operator_id, decision_id, withdrawal_id, decision, decided_by, reason, key_id)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (operator_id, decision_id) do nothing returning 1`,
    values: [operatorId, decisionId, withdrawalId, decision.decision, decidedBy, reason ?? null, keyId ?? null],
  });
  // Two requests used one key for two withdrawals at the same moment. The other request came first.
  if (inserted.length > 0) return;
  throw new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
}
