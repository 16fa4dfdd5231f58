import { judgeWithdrawalMove, type WithdrawalState } from './withdrawal-lifecycle.ts';

/**
 * Amounts above which staff of the operator must approve a withdrawal, in minor units of one currency (SRV-1). The
 * provider gets the request only afterwards.
 */
export interface ApprovalThresholds {
  /** Above this amount one person must approve. Zero: always; absent: never because of the amount. */
  readonly one?: bigint | undefined;
  /** Above this amount a second person must approve too; absent: never. */
  readonly two?: bigint | undefined;
  /**
   * When a withdrawal lifts the user's daily sum above this amount, one person must approve; absent: no daily limit.
   */
  readonly day?: bigint | undefined;
}

/** How many approvals a withdrawal needs, and the reason. */
export interface NeededApprovals {
  readonly needed: 0 | 1 | 2;
  /** The reason; absent when no approval is needed. */
  readonly because?: 'amount' | 'day';
}

/**
 * How many people must approve a withdrawal (SRV-1).
 * @param amount minor units
 * @param before minor units that the user confirmed in the last 24 hours and did not get back; see {@link DAY_STATES}
 * @param thresholds absent: the operator requires no approval
 */
export function approvalsNeeded(
  amount: bigint,
  before: bigint,
  thresholds: ApprovalThresholds | undefined,
): NeededApprovals {
  const { one, two, day } = thresholds ?? {};
  if (two !== undefined && amount > two) return { needed: 2, because: 'amount' };
  if (one !== undefined && amount > one) return { needed: 1, because: 'amount' };
  return day !== undefined && before + amount > day ? { needed: 1, because: 'day' } : { needed: 0 };
}

/** States of a withdrawal that counts for the user's daily sum: confirmed, and the amount not given back. */
export const DAY_STATES = [
  'awaiting_approval',
  'submitted_unknown',
  'submitted',
  'late_paid',
  'paid',
  'late_settled',
] as const satisfies readonly WithdrawalState[];

/** The daily sum covers the last 24 hours. A calendar day would let users start again at midnight. */
export const DAY_MS = 86_400_000;

/** A decision of one member of staff. */
export type ApprovalDecision = 'approve' | 'decline';

/** The facts that a decision depends on, read under the lock of the withdrawal's row. */
export interface ApprovalCase {
  readonly state: WithdrawalState;
  readonly needed: number;
  /** Names of the staff who approved so far. */
  readonly approvedBy: readonly string[];
  /** True once the time to decide is over, also before the hold is released. */
  readonly isOverdue: boolean;
  /** True while the user's account is frozen, for example by a debt that arose after the hold. */
  readonly isFrozen: boolean;
}

/** The result of a decision. */
export type ApprovalVerdict =
  /** The approval is stored, and more approvals are needed. */
  | { readonly kind: 'counted' }
  | { readonly kind: 'move'; readonly to: 'submitted_unknown' | 'declined' }
  | { readonly kind: 'refused'; readonly why: 'not-waiting' | 'overdue' | 'frozen' | 'same-person' };

/** True when two names mean the same person. Case does not matter. */
export function sameDecider(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Decides what an approval or a decline does (SRV-1, SRV-3). The last needed approval submits the withdrawal to the
 * provider. A person counts once. Any decline releases the hold. A late decision changes nothing.
 */
export function judgeApproval(
  { state, needed, approvedBy, isOverdue, isFrozen }: ApprovalCase,
  decision: ApprovalDecision,
  decidedBy: string,
): ApprovalVerdict {
  if (state !== 'awaiting_approval') return { kind: 'refused', why: 'not-waiting' };
  if (isOverdue) return { kind: 'refused', why: 'overdue' };
  if (decision === 'decline') return { kind: 'move', to: 'declined' };
  if (isFrozen) return { kind: 'refused', why: 'frozen' };
  if (approvedBy.some((name) => sameDecider(name, decidedBy))) return { kind: 'refused', why: 'same-person' };
  return approvedBy.length + 1 >= needed ? { kind: 'move', to: 'submitted_unknown' } : { kind: 'counted' };
}

/**
 * Judges a provider's report like `judgeWithdrawalMove`, with one exception. Before the needed approvals the cashier
 * asked no provider to pay. A report about such a payout is forbidden and kept as an unmatched event.
 * @param needed approvals that the withdrawal needs, also while the user has not confirmed
 */
export function judgeWithdrawalReport(
  from: WithdrawalState,
  to: WithdrawalState,
  needed: number,
): ReturnType<typeof judgeWithdrawalMove> {
  const judged = judgeWithdrawalMove(from, to);
  return judged === 'move' && from === 'held' && needed > 0 && to !== 'declined' ? 'forbidden' : judged;
}
