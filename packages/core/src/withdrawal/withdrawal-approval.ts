import { judgeWithdrawalMove, type WithdrawalState } from './withdrawal-lifecycle.ts';

/** From which amounts on people of the operator must agree before the provider is told; minor units of one currency. */
export interface ApprovalThresholds {
  /** Above it somebody must approve; zero: always; absent: not for its own amount. */
  readonly one?: bigint | undefined;
  /** Above it somebody else must approve as well; absent: never. */
  readonly two?: bigint | undefined;
  /** Above it somebody must approve what brings the sum of its user's day there; absent: whatever the sum. */
  readonly day?: bigint | undefined;
}

export interface NeededApprovals {
  readonly needed: 0 | 1 | 2;
  /** Why; absent where nobody must approve. */
  readonly because?: 'amount' | 'day';
}

/**
 * How many people must approve a withdrawal (SRV-1).
 * @param before what its user has confirmed in the 24 hours before, and was not given back; see {@link DAY_STATES}
 * @param thresholds absent: the operator asks for no approval
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

/** The states of a withdrawal that counts for its user's day: confirmed, and its amount not given back. */
export const DAY_STATES = [
  'awaiting_approval',
  'submitted_unknown',
  'submitted',
  'late_paid',
  'paid',
  'late_settled',
] as const satisfies readonly WithdrawalState[];

/** The day is the last 24 hours, not one of a calendar: no midnight lets anybody begin anew. */
export const DAY_MS = 86_400_000;

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
