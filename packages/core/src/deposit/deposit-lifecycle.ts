import type { TransactionStatus } from '@opencashier/contract/api';

/** The states of a deposit on the server. */
export type DepositState =
  | 'created'
  | 'submitted_unknown'
  | 'awaiting_payment'
  | 'detected'
  | 'confirming'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'late_paid'
  | 'credited'
  | 'refunded'
  | 'reversed';

interface StateRow {
  /** The rank rises along every transition. Events may therefore arrive late, twice or in any order. */
  readonly rank: number;
  readonly next: readonly DepositState[];
  readonly status: TransactionStatus;
}

const ENDINGS = ['declined', 'cancelled', 'expired'] as const;

/**
 * The table of the deposit lifecycle (SRV-3). No row shows `processed` before the ledger has credited the deposit.
 * A payment that arrives after the deposit ended moves the deposit to `late_paid`; it is never dropped (DEP-11).
 * When a chain drops a block, the deposit stays `confirming` and only its confirmation count decreases.
 */
const STATES: Readonly<Record<DepositState, StateRow>> = {
  created: {
    rank: 10,
    next: ['submitted_unknown', 'awaiting_payment', 'detected', 'confirming', 'credited', ...ENDINGS],
    status: 'waiting',
  },
  submitted_unknown: {
    rank: 20,
    next: ['awaiting_payment', 'detected', 'confirming', 'credited', ...ENDINGS],
    status: 'waiting',
  },
  awaiting_payment: { rank: 30, next: ['detected', 'confirming', 'credited', ...ENDINGS], status: 'waiting' },
  detected: { rank: 40, next: ['confirming', 'credited', ...ENDINGS], status: 'waiting' },
  confirming: { rank: 50, next: ['credited', ...ENDINGS], status: 'waiting' },
  declined: { rank: 80, next: ['late_paid'], status: 'mistaked' },
  cancelled: { rank: 80, next: ['late_paid'], status: 'mistaked' },
  expired: { rank: 80, next: ['late_paid'], status: 'mistaked' },
  late_paid: { rank: 85, next: ['credited', 'refunded'], status: 'accepted' },
  credited: { rank: 90, next: ['refunded', 'reversed'], status: 'processed' },
  refunded: { rank: 95, next: [], status: 'mistaked' },
  reversed: { rank: 99, next: [], status: 'mistaked' },
};

/** Every state, in the order of its rank. */
export const DEPOSIT_STATES = Object.keys(STATES) as readonly DepositState[];

/** The highest rank of a deposit that nobody has paid yet. */
const LAST_UNPAID_RANK = 30;
/** The highest rank of a deposit whose payment was seen but may still vanish. */
const LAST_SEEN_RANK = 50;

/** True for a state of the table. A state from the database or from another program must pass this check first. */
export function isDepositState(value: unknown): value is DepositState {
  return typeof value === 'string' && Object.hasOwn(STATES, value);
}

/** The rank of a state. It rises along every allowed transition. */
export function depositRank(state: DepositState): number {
  return STATES[state].rank;
}

/**
 * What to do with report that a deposit is in state `to`.
 * `move`: change the state. `same`: the deposit is already in this state.
 * `stale`: an older fact arrived late and is only recorded. `forbidden`: a contradiction that staff must see.
 */
export function judgeDepositMove(from: DepositState, to: DepositState): 'move' | 'same' | 'stale' | 'forbidden' {
  if (from === to) return 'same';
  if (STATES[from].next.includes(to)) return 'move';
  return STATES[to].rank <= STATES[from].rank ? 'stale' : 'forbidden';
}

/**
 * The state of a deposit after a proven payment: `credited`; after an ending `late_paid`, where staff or a rule decide.
 * Undefined when the payment is already accounted for, because a second proof must never credit twice.
 */
export function depositStateOnPayment(state: DepositState): 'credited' | 'late_paid' | undefined {
  if (judgeDepositMove(state, 'credited') === 'move' && state !== 'late_paid') return 'credited';
  return judgeDepositMove(state, 'late_paid') === 'move' ? 'late_paid' : undefined;
}

/** The status that the user sees (section 4): waiting until credited, mistaked after an ending, accepted when paid late. */
export function statusOfDepositState(state: DepositState): TransactionStatus {
  return STATES[state].status;
}

/**
 * True while the user may cancel: until a payment is seen, and again after every seen payment has vanished.
 * A state never goes back. A deposit whose payment was dropped by the chain therefore stays `detected` or `confirming`.
 * @param isMoneySeen whether a payment is known now
 */
export function canUserCancelDeposit(
  state: DepositState,
  isMoneySeen = STATES[state].rank > LAST_UNPAID_RANK,
): boolean {
  const { rank } = STATES[state];
  return rank <= LAST_UNPAID_RANK || (rank <= LAST_SEEN_RANK && !isMoneySeen);
}

/** True while the deposit can expire: nobody has paid, and the deposit has not ended. */
export function canDepositExpire(state: DepositState, isMoneySeen?: boolean): boolean {
  return canUserCancelDeposit(state, isMoneySeen);
}
