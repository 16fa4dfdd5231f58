import type { TransactionStatus } from '@opencashier/contract/api';

/** The states of a withdrawal on the server. */
export type WithdrawalState =
  | 'checking'
  | 'held'
  | 'awaiting_approval'
  | 'submitted_unknown'
  | 'submitted'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'refused'
  | 'late_paid'
  | 'paid'
  | 'late_settled'
  | 'late_returned'
  | 'returned';

interface StateRow {
  /** Only rises along every transition. */
  readonly rank: number;
  readonly next: readonly WithdrawalState[];
  readonly status: TransactionStatus;
  /** What happens to the hold when the withdrawal enters the state. */
  readonly hold: 'place' | 'keep' | 'release' | 'post' | 'none';
}

/**
 * The states of a withdrawal and the allowed moves (SRV-3, WD-2).
 *
 * Creation holds the amount. If the operator keeps the balance itself, its wallet is asked first: until its answer is known, the
 * withdrawal is `checking`, and without the amount it ends as `refused`. Confirmation submits the withdrawal, or lets it wait for staff (see
 * `withdrawal-approval`). The hold is posted (paid) or released (failed) exactly once. Only a report of the provider
 * ends a submitted withdrawal. A payout that is reported after the release becomes `late_paid`: staff decide, and
 * nothing is taken from the user automatically.
 */
const STATES: Readonly<Record<WithdrawalState, StateRow>> = {
  checking: { rank: 5, next: ['held', 'refused'], status: 'accepted', hold: 'none' },
  held: {
    rank: 10,
    next: ['awaiting_approval', 'submitted_unknown', 'submitted', 'paid', 'declined', 'cancelled', 'expired'],
    status: 'waiting',
    hold: 'place',
  },
  // The provider has no request yet, so a report cannot move the withdrawal to `paid`.
  awaiting_approval: {
    rank: 15,
    next: ['submitted_unknown', 'declined', 'cancelled', 'expired'],
    status: 'accepted',
    hold: 'keep',
  },
  submitted_unknown: { rank: 20, next: ['submitted', 'paid', 'declined'], status: 'accepted', hold: 'keep' },
  submitted: { rank: 30, next: ['paid', 'declined'], status: 'accepted', hold: 'keep' },
  declined: { rank: 80, next: ['late_paid'], status: 'mistaked', hold: 'release' },
  cancelled: { rank: 80, next: ['late_paid'], status: 'mistaked', hold: 'release' },
  expired: { rank: 80, next: ['late_paid'], status: 'mistaked', hold: 'release' },
  // Nothing was ever held: the operator's wallet declined, or the withdrawal ended before the wallet answered.
  refused: { rank: 80, next: [], status: 'mistaked', hold: 'none' },
  late_paid: { rank: 85, next: ['late_settled', 'late_returned'], status: 'accepted', hold: 'none' },
  paid: { rank: 90, next: ['returned'], status: 'processed', hold: 'post' },
  late_settled: { rank: 95, next: [], status: 'processed', hold: 'none' },
  // The late payout came back: the user has the amount since the release, and staff have nothing to decide any more.
  late_returned: { rank: 97, next: [], status: 'mistaked', hold: 'none' },
  returned: { rank: 99, next: [], status: 'mistaked', hold: 'none' },
};

/** All states, in the order of their rank. */
export const WITHDRAWAL_STATES = Object.keys(STATES) as readonly WithdrawalState[];

/** True for the name of a state. */
export function isWithdrawalState(value: unknown): value is WithdrawalState {
  return typeof value === 'string' && Object.hasOwn(STATES, value);
}

/** The rank of a state. Every allowed move raises the rank. */
export function withdrawalRank(state: WithdrawalState): number {
  return STATES[state].rank;
}

/** Judges a report that a withdrawal is in state `to`; see `judgeDepositMove`. */
export function judgeWithdrawalMove(
  from: WithdrawalState,
  to: WithdrawalState,
): 'move' | 'same' | 'stale' | 'forbidden' {
  if (from === to) return 'same';
  if (STATES[from].next.includes(to)) return 'move';
  return STATES[to].rank < STATES[from].rank ? 'stale' : 'forbidden';
}

/** The status that the user sees (section 4). */
export function statusOfWithdrawalState(state: WithdrawalState): TransactionStatus {
  return STATES[state].status;
}

/** What happens to the hold when the withdrawal enters a state. */
export function holdEffectOf(state: WithdrawalState): StateRow['hold'] {
  return STATES[state].hold;
}

/** True while the user may cancel (WD-2): until the withdrawal is submitted to the provider. */
export function canUserCancelWithdrawal(state: WithdrawalState): boolean {
  return state === 'checking' || state === 'held' || state === 'awaiting_approval';
}

/** The state of a withdrawal that ends before its submission: without a hold it is `refused`, whoever ends it. */
export function endedState(state: WithdrawalState, how: 'cancelled' | 'expired'): WithdrawalState {
  return state === 'checking' ? 'refused' : how;
}
