import type { TransactionStatus } from '@opencashier/contract/api';

/** The states of a withdrawal on the server. */
export type WithdrawalState =
  | 'held'
  | 'awaiting_approval'
  | 'submitted_unknown'
  | 'submitted'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'late_paid'
  | 'paid'
  | 'late_settled'
  | 'returned';

interface StateRow {
  /** Only rises along every transition. */
  readonly rank: number;
  readonly next: readonly WithdrawalState[];
  readonly status: TransactionStatus;
  /** What entering the state does to the amount that was held at the start. */
  readonly hold: 'place' | 'keep' | 'release' | 'post' | 'none';
}

/**
 * The one table of the withdrawal lifecycle (SRV-3, WD-2): create holds the amount, confirm submits it or lets it wait for the
 * operator's people (see `withdrawal-approval`), and the hold is either posted (paid) or released (an ending), exactly once. A submitted withdrawal ends only by the provider's word. A payout that is
 * told of after its amount was released is kept as `late_paid`, never taken from the user by itself: people decide.
 */
const STATES: Readonly<Record<WithdrawalState, StateRow>> = {
  held: {
    rank: 10,
    next: ['awaiting_approval', 'submitted_unknown', 'submitted', 'paid', 'declined', 'cancelled', 'expired'],
    status: 'waiting',
    hold: 'place',
  },
  // The provider has not been told, so that nothing it says can pay from here.
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
  late_paid: { rank: 85, next: ['late_settled'], status: 'accepted', hold: 'none' },
  paid: { rank: 90, next: ['returned'], status: 'processed', hold: 'post' },
  late_settled: { rank: 95, next: [], status: 'processed', hold: 'none' },
  returned: { rank: 99, next: [], status: 'mistaked', hold: 'none' },
};

/** Every state, by rising rank. */
export const WITHDRAWAL_STATES = Object.keys(STATES) as readonly WithdrawalState[];

/** True for a name in the table. */
export function isWithdrawalState(value: unknown): value is WithdrawalState {
  return typeof value === 'string' && Object.hasOwn(STATES, value);
}

/** The rank of a state; along every allowed transition it rises. */
export function withdrawalRank(state: WithdrawalState): number {
  return STATES[state].rank;
}

/** What to do with evidence that a withdrawal is in state `to`; see `judgeDepositMove`. */
export function judgeWithdrawalMove(
  from: WithdrawalState,
  to: WithdrawalState,
): 'move' | 'same' | 'stale' | 'forbidden' {
  if (from === to) return 'same';
  if (STATES[from].next.includes(to)) return 'move';
  return STATES[to].rank < STATES[from].rank ? 'stale' : 'forbidden';
}

/** The status that the user is shown (section 4). */
export function statusOfWithdrawalState(state: WithdrawalState): TransactionStatus {
  return STATES[state].status;
}

/** What entering a state does to the held amount. */
export function holdEffectOf(state: WithdrawalState): StateRow['hold'] {
  return STATES[state].hold;
}

/** True while the user may cancel (WD-2): until the withdrawal was submitted. */
export function canUserCancelWithdrawal(state: WithdrawalState): boolean {
  return state === 'held' || state === 'awaiting_approval';
}
