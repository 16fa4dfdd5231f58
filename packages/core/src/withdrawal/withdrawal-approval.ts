import { judgeWithdrawalMove, type WithdrawalState } from './withdrawal-lifecycle.ts';

/** From which amounts on people of the operator must agree before the provider is told; minor units of one currency. */
export interface ApprovalThresholds {
  /** Above it somebody must approve; zero: always. */
  readonly one: bigint;
  /** Above it somebody else must approve as well; absent: never. */
  readonly two?: bigint | undefined;
}

/** How many people must approve a withdrawal (SRV-1). @param thresholds absent: the operator asks for no approval */
export function approvalsNeeded(amount: bigint, thresholds: ApprovalThresholds | undefined): 0 | 1 | 2 {
  if (thresholds === undefined) return 0;
  if (thresholds.two !== undefined && amount > thresholds.two) return 2;
  return amount > thresholds.one ? 1 : 0;
}

export type ApprovalDecision = 'approve' | 'decline';

/** A withdrawal as a decision meets it, under the lock of its row. */
export interface ApprovalCase {
  readonly state: WithdrawalState;
  readonly needed: number;
  /** Who approved so far. */
  readonly approvedBy: readonly string[];
  /** True once the time to decide is over, also while nobody has given the money back yet. */
  readonly isOverdue: boolean;
  /** True while nothing may leave the user's account, such as for a debt that came after the amount was held. */
  readonly isFrozen: boolean;
}

export type ApprovalVerdict =
  /** Kept, and others must approve too. */
  | { readonly kind: 'counted' }
  | { readonly kind: 'move'; readonly to: 'submitted_unknown' | 'declined' }
  | { readonly kind: 'refused'; readonly why: 'not-waiting' | 'overdue' | 'frozen' | 'same-person' };

/** One pair of eyes has one name, however it is written. */
export function sameDecider(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * What a decision about a waiting withdrawal does (SRV-1, SRV-3). Only the last approval that is needed hands it to the provider,
 * nobody counts twice, and anybody's decline gives the money back. Who is too late changes nothing.
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
 * What to do with a provider's report, as `judgeWithdrawalMove` where nobody must approve. A provider that speaks of paying what
 * people have not agreed to was never told to: that word is kept and waits, and moves nothing.
 * @param needed approvals that the withdrawal needs, also while it is not confirmed
 */
export function judgeWithdrawalReport(
  from: WithdrawalState,
  to: WithdrawalState,
  needed: number,
): ReturnType<typeof judgeWithdrawalMove> {
  const judged = judgeWithdrawalMove(from, to);
  return judged === 'move' && from === 'held' && needed > 0 && to !== 'declined' ? 'forbidden' : judged;
}
