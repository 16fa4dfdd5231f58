/**
 * Applies a report about a withdrawal (WD-2, SRV-3). Finds and locks the withdrawal, asks the reducer, and carries
 * out the effects.
 */
import type { WithdrawalAggregate } from '@opencashier/core/payout/aggregate';
import { reducePayout } from '@opencashier/core/payout/reduce-payout';
import type { Transaction } from '../database/database.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import { isPlannedRefund } from '../payout-refunds/payout-refunds.ts';
import {
  type AppliedReport,
  applyReport,
  type Decided,
  idsOf,
  type ReportKind,
} from '../provider-events/apply-report.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';
import { approvalsNeededNow } from './approval-settings.ts';
import { findPayout } from './payout-store.ts';
import { runPayoutEffects } from './run-payout-effects.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { lockWithdrawal, type WithdrawalId } from './withdrawal-store.ts';

/** What is known of a report that is the answer to our own call. */
export interface AnswerOfCall {
  /** Stored for a retry of the confirm call, when the provider refused. */
  readonly failure?: StoredFailure;
  /**
   * True: the answer counts only if the withdrawal was submitted once. A first call that took longer than its lease may fail after a repeat
   * has sent the withdrawal, and its failure proves nothing about the repeat.
   */
  readonly isOfOnlyCall?: boolean;
}

/** Applies a report about a withdrawal once; see {@link applyReport}. */
export function applyWithdrawal(
  core: PaymentsCore,
  report: WithdrawalReport,
  answer: AnswerOfCall = {},
): Promise<AppliedReport> {
  return applyReport(core, aboutWithdrawals(core, answer), report);
}

function aboutWithdrawals(core: PaymentsCore, answer: AnswerOfCall): ReportKind<WithdrawalReport> {
  return {
    name: 'withdrawal',
    events: withdrawalEvents,
    idOf: ({ withdrawalId }) => withdrawalId,
    withId: ({ withdrawalId: _reported, ...rest }, id) => ({ ...rest, ...(id !== undefined && { withdrawalId: id }) }),
    contradictions: { withdrawal_provider_ref_once: 'reused-ref', payout_provider_ref_once: 'reused-ref' },
    uncommitted: 'settle-uncommitted',
    isKnown: async (transaction, report) => (await findReported(transaction, report)).length > 0,
    apply: (_ports, transaction, report) => applyToWithdrawal(core, transaction, report, answer),
  };
}

async function applyToWithdrawal(
  core: PaymentsCore,
  transaction: Transaction,
  report: WithdrawalReport,
  { failure, isOfOnlyCall }: AnswerOfCall,
): Promise<Decided> {
  const row = await lockFor(transaction, report);
  if (row === undefined) {
    return { kind: 'unmatched', why: 'unknown-withdrawal', isUrgent: true, isUnknown: true };
  }
  if (row === 'reused-ref') return { kind: 'unmatched', why: row, isUrgent: true };
  const isOvertaken = isOfOnlyCall === true && row.submissions > 1;
  if (isOvertaken || (await isBackBeforePaid(transaction, row, report))) {
    return { kind: 'applied', id: row.id, storedOutcome: 'none', outcome: 'unchanged' };
  }
  const aggregate = await loadAggregate(core, transaction, row);
  const verdict = reducePayout(aggregate, report);
  if (verdict.kind === 'unmatched') return { kind: 'unmatched', id: row.id, why: verdict.why, isUrgent: true };
  if (verdict.effects.length === 0) return { kind: 'applied', id: row.id, storedOutcome: 'none', outcome: 'unchanged' };
  const source = { cause: 'provider', providerRef: report.providerRef, reasonFrom: report, failure };
  const after = await runPayoutEffects({ transaction, row, payout: aggregate.payout, source }, verdict.effects);
  if (after.state === 'late_paid') {
    core.logger.error(
      { ...idsOf(report), withdrawalId: row.id },
      'late payout: paid after the hold was released, now under review',
    );
  }
  return { kind: 'applied', id: row.id, storedOutcome: 'move', outcome: 'moved' };
}

/**
 * Whether a report is about a refund of the payout that failed before it was counted as paid. The withdrawal has replaced it or has ended
 * without it, or asks its provider now, which names the refund as refused. A return of it would be a second payment to the user.
 */
async function isBackBeforePaid(
  transaction: Transaction,
  row: WithdrawalRow,
  { outcome, refundId }: WithdrawalReport,
): Promise<boolean> {
  if (outcome !== 'returned' || refundId === undefined || row.request.card === undefined) return false;
  if (row.state === 'declined') return true;
  if (row.state !== 'submitted' && row.state !== 'submitted_unknown') {
    return !(await isPlannedRefund(transaction, row, refundId));
  }
  await transaction.query({
    name: 'withdrawal-check-now',
    text: 'update withdrawal set check_at = now() where operator_id = $1 and id = $2',
    values: [row.operatorId, row.id],
  });
  return true;
}

/** Loads a withdrawal with its payout, and the approvals that it needs by the operator's present settings. */
async function loadAggregate(
  core: PaymentsCore,
  transaction: Transaction,
  row: WithdrawalRow,
): Promise<WithdrawalAggregate> {
  const isHeld = row.state === 'held';
  const { needed } = isHeld ? await approvalsNeededNow(transaction, row, core.clock.now()) : { needed: 0 };
  const payout = await findPayout(transaction, row);
  return { withdrawal: row, approvalsNeeded: needed, ...(payout !== undefined && { payout }) };
}

/** Finds the withdrawal of a report, and locks it. `reused-ref`: the report names two different withdrawals. */
async function lockFor(
  transaction: Transaction,
  report: WithdrawalReport,
): Promise<WithdrawalRow | 'reused-ref' | undefined> {
  const [named, other] = await findReported(transaction, report);
  if (named === undefined) return undefined;
  const isOther = report.withdrawalId !== undefined && named.id !== report.withdrawalId;
  // An id and a reference never change once they are stored, so the locked row is still the one that was found.
  return other !== undefined || isOther ? 'reused-ref' : lockWithdrawal(transaction, named);
}

/**
 * The withdrawals with our id, or with the provider's reference. Only this statement finds them without an operator,
 * because a callback names none. It searches all operators, so that no reference pays two withdrawals, but only payments of the
 * connection that reported.
 */
function findReported(transaction: Transaction, report: WithdrawalReport): Promise<WithdrawalId[]> {
  return transaction.query({
    name: 'withdrawal-of-report',
    text: `select operator_id as "operatorId", id from withdrawal where id = $1 and connection_id is not distinct from $4::uuid
      union select operator_id, id from withdrawal where provider = $2 and provider_ref = $3
        and connection_id is not distinct from $4::uuid`,
    values: [report.withdrawalId ?? null, report.provider, report.providerRef ?? null, report.connectionId ?? null],
  });
}
