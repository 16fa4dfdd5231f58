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
  /** Only rises along every transition, so that events may come late, twice or in any order. */
  readonly rank: number;
  readonly next: readonly DepositState[];
  readonly status: TransactionStatus;
}

const ENDINGS = ['declined', 'cancelled', 'expired'] as const;

/**
 * The one table of the deposit lifecycle (SRV-3). Credited is the ledger's word: no row shows `processed` before it.
 * A payment that arrives after an ending is kept as `late_paid`, never dropped (DEP-11). A chain that loses a block keeps
 * `confirming` and lowers only its count.
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

/** Every state, by rising rank. */
export const DEPOSIT_STATES = Object.keys(STATES) as readonly DepositState[];

/** The last rank at which nobody has paid yet. */
const LAST_UNPAID_RANK = 30;
/** The last rank at which a payment was seen that may vanish. */
const LAST_SEEN_RANK = 50;

/** True for a name in the table: a state read from a database or another program must pass here first. */
export function isDepositState(value: unknown): value is DepositState {
  return typeof value === 'string' && Object.hasOwn(STATES, value);
}

/** The rank of a state; along every allowed transition it rises. */
export function depositRank(state: DepositState): number {
  return STATES[state].rank;
}

/**
 * What to do with evidence that a deposit is in state `to`: `move` there; `same`, it is there already; `stale`, an older
 * fact that came late and is only recorded; `forbidden`, a contradiction that a person has to see.
 */
export function judgeDepositMove(from: DepositState, to: DepositState): 'move' | 'same' | 'stale' | 'forbidden' {
  if (from === to) return 'same';
  if (STATES[from].next.includes(to)) return 'move';
  return STATES[to].rank <= STATES[from].rank ? 'stale' : 'forbidden';
}

/**
 * Where proof of a payment takes a deposit: to `credited`, or to `late_paid` after an ending, where people or a rule decide.
 * Undefined when the payment is already accounted for: a second proof never credits twice.
 */
export function depositStateOnPayment(state: DepositState): 'credited' | 'late_paid' | undefined {
  if (judgeDepositMove(state, 'credited') === 'move' && state !== 'late_paid') return 'credited';
  return judgeDepositMove(state, 'late_paid') === 'move' ? 'late_paid' : undefined;
}

/** The status that the user is shown (section 4): waiting until credited, mistaked after an ending, accepted when late. */
export function statusOfDepositState(state: DepositState): TransactionStatus {
  return STATES[state].status;
}

/**
 * True while the user may cancel: until a payment has been seen, and again when all that was seen has vanished. A state never goes
 * back, so a deposit whose payment a chain has dropped stays `detected` or `confirming` and waits all the same.
 * @param isMoneySeen whether anything of a payment is known now
 */
export function canUserCancelDeposit(
  state: DepositState,
  isMoneySeen = STATES[state].rank > LAST_UNPAID_RANK,
): boolean {
  const { rank } = STATES[state];
  return rank <= LAST_UNPAID_RANK || (rank <= LAST_SEEN_RANK && !isMoneySeen);
}

/** True while expiry applies: nothing has been paid and nothing has ended. */
export function canDepositExpire(state: DepositState, isMoneySeen?: boolean): boolean {
  return canUserCancelDeposit(state, isMoneySeen);
}
