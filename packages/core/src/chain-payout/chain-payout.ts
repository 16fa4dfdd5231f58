/**
 * One payout on a chain, as a state machine (WD-2). Pure: the server brings facts, and stores what is decided here.
 *
 * A payout never pays twice, because all its transactions spend the same slot: the same nonce, or the same inputs. The chain accepts at
 * most one transaction per slot. A second slot is allowed only when the chain has certainly given the first one to somebody else, or when
 * the slot is a transaction that has certainly expired (`expiring-payout.ts`).
 */

/**
 * - `queued`: waits for its turn. It has no slot, and no signer knows it.
 * - `prepared`: its slot is reserved. The signer may know the unsigned transaction.
 * - `signed`: the signed bytes are stored, and the chain has not got them from us.
 * - `broadcast`: a node may have the bytes.
 * - `seen`: one of its transactions is in a block.
 * - `confirmed`: that block is deep enough. The recipient has the money.
 * - `failed`: that block is deep enough, and the chain refused the payment in it. The recipient gets nothing.
 * - `refused`: the signer refused, or its answer was not what we asked for. Staff decide.
 * - `displaced`: another transaction spent the slot. Staff decide.
 * - `declined`: staff ended it without a payment.
 */
export type ChainPayoutState =
  | 'queued'
  | 'prepared'
  | 'signed'
  | 'broadcast'
  | 'seen'
  | 'confirmed'
  | 'failed'
  | 'refused'
  | 'displaced'
  | 'declined';

/** The allowed moves. The database enforces a copy of this table, and a test compares them. */
export const CHAIN_PAYOUT_MOVES: Readonly<Record<ChainPayoutState, readonly ChainPayoutState[]>> = {
  queued: ['prepared', 'declined'],
  // To `queued`, from here and below: its transaction has certainly expired. Where a transaction has its name before it is signed, a block
  // may have it although the signer's answer was lost.
  prepared: ['signed', 'refused', 'queued', 'confirmed', 'failed'],
  signed: ['broadcast', 'seen', 'confirmed', 'failed', 'displaced', 'queued'],
  broadcast: ['seen', 'confirmed', 'failed', 'displaced', 'queued'],
  // A reorganisation takes a transaction out of its block.
  seen: ['broadcast', 'confirmed', 'failed', 'displaced', 'queued'],
  confirmed: [],
  failed: [],
  // `prepared`: the signer is asked again for the same slot, which is always safe.
  refused: ['prepared', 'queued', 'declined', 'confirmed'],
  displaced: ['declined', 'confirmed'],
  declined: [],
};

/** What the chain shows of all transactions of one payout. */
export type Sighting =
  | {
      readonly kind: 'mined';
      /** The hash of the transaction that is in the block. */
      readonly hash: string;
      /** Confirmations; 1: in the newest block. */
      readonly depth: number;
      /** False: the chain took the fee and refused the payment. */
      readonly hasPaid: boolean;
    }
  /** A node has a transaction, in no block. */
  | { readonly kind: 'pending' }
  /** No node that answered has one of them. */
  | {
      readonly kind: 'missing';
      /** Confirmations since another transaction spent the slot. 0: the slot is free. */
      readonly spentDepth: number;
    }
  /** The payout's one transaction has expired, and can never be mined. Only on chains whose transactions expire. */
  | { readonly kind: 'expired' };

export interface ChainPayoutFacts {
  readonly state: ChainPayoutState;
  /** Seconds since the newest signed transaction was sent first. */
  readonly sentForS: number;
  /** How many transactions of the slot were signed. The newest counts as well while it waits for its signature. */
  readonly versions: number;
  /** True while the newest of them waits for its signature. */
  readonly isSigning: boolean;
  /** The chain takes the newest signed transaction no more, because its time is over. Absent: its time has no end. */
  readonly isOutOfTime?: boolean;
  /** Another transaction comes only after the proof that this one has expired. So no fee is raised. Absent: it does not expire. */
  readonly mayExpire?: boolean;
}

export interface ChainPayoutRules {
  /** Confirmations that end the payout. */
  readonly required: number;
  /** Seconds without a block, after which a higher fee is offered. */
  readonly bumpAfterS: number;
  /** How many transactions one slot may have. */
  readonly mostVersions: number;
}

/**
 * - `send`: give the newest signed bytes to a node, also again.
 * - `bump`: prepare a transaction for the same slot with a higher fee, or with more time.
 * - `stuck`: no further fee is allowed, and the transaction is in no block. Staff are alerted.
 */
export type ChainPayoutStep = 'send' | 'bump' | 'stuck' | 'none';

export interface ChainPayoutDecision {
  readonly to: ChainPayoutState;
  readonly step: ChainPayoutStep;
}

/** The states in which a node may have a transaction of the payout. */
export const ON_THE_WAY: readonly ChainPayoutState[] = ['signed', 'broadcast', 'seen'];
/** The states in which staff decide. */
export const BEING_CHECKED: readonly ChainPayoutState[] = ['refused', 'displaced'];

/**
 * Decides what a sighting means. A state that waits for staff ends only by a payment that is deep enough.
 *
 * A missing transaction is sent again for ever. Nothing that was signed is given up, because somebody may have a copy of it.
 */
export function decideChainPayout(
  payout: ChainPayoutFacts,
  sighting: Sighting,
  rules: ChainPayoutRules,
): ChainPayoutDecision {
  const { state } = payout;
  if (isPaid(sighting, rules) && CHAIN_PAYOUT_MOVES[state].includes('confirmed'))
    return { to: 'confirmed', step: 'none' };
  if (state !== 'prepared' && !ON_THE_WAY.includes(state)) return { to: state, step: 'none' };
  if (sighting.kind === 'expired') return { to: 'queued', step: 'none' };
  const isMinedForGood = sighting.kind === 'mined' && sighting.depth >= rules.required;
  if (isMinedForGood) return { to: 'failed', step: 'none' };
  // The signer is asked again, and what is in a block then has its signature.
  if (state === 'prepared') return { to: state, step: 'none' };
  if (sighting.kind === 'mined') return { to: 'seen', step: 'none' };
  if (sighting.kind === 'missing' && sighting.spentDepth >= rules.required) return { to: 'displaced', step: 'none' };
  // A node has the bytes, or had them: an earlier try may have sent them and died.
  const to = sighting.kind === 'pending' || state === 'seen' ? 'broadcast' : state;
  if (sighting.kind === 'pending') return { to, step: stepOfWaiting(payout, rules) };
  // While the slot is spent by a transaction that is still young, the next blocks tell which one stays.
  if (sighting.spentDepth > 0) return { to, step: 'none' };
  return { to, step: payout.isOutOfTime === true ? stepOfReplacement(payout, rules) : 'send' };
}

const isPaid = (sighting: Sighting, { required }: ChainPayoutRules): boolean =>
  sighting.kind === 'mined' && sighting.depth >= required && sighting.hasPaid;

function stepOfWaiting(payout: ChainPayoutFacts, rules: ChainPayoutRules): ChainPayoutStep {
  return payout.sentForS < rules.bumpAfterS ? 'none' : stepOfReplacement(payout, rules);
}

function stepOfReplacement(
  { versions, isSigning, mayExpire = false }: ChainPayoutFacts,
  { mostVersions }: ChainPayoutRules,
) {
  if (isSigning || mayExpire) return 'none';
  return versions < mostVersions ? 'bump' : 'stuck';
}

/** What the chain and the database show of the slot of a payout that staff look at. */
export type SlotFate =
  /** No transaction spent it, and no other payout has it. */
  | 'free'
  /** Another payout of ours has it, and is not over. */
  | 'reserved'
  /** A transaction of another payout of ours spent it, deep enough. */
  | 'spent-by-payout'
  /** A transaction that is not known spent it. It may be another signature of this very payment. */
  | 'spent-by-stranger'
  /** The payout's transaction has certainly expired. No transaction of it can be mined. */
  | 'expired';

/**
 * How a payout that staff look at may go on. `same-slot`: ask for the same transaction again. `new-slot`: the first one can certainly never
 * be mined. Undefined: neither is safe now.
 */
export function wayToPay(state: ChainPayoutState, fate: SlotFate): 'same-slot' | 'new-slot' | undefined {
  if (state !== 'refused') return undefined;
  if (fate === 'free') return 'same-slot';
  return fate === 'spent-by-payout' || fate === 'expired' ? 'new-slot' : undefined;
}

/**
 * Whether staff may end a payout without a payment: no transaction of it can be mined any more.
 * @param hasLooked staff have looked the transaction up that spent the slot, and it does not pay this payout
 */
export function mayDecline(state: ChainPayoutState, fate: SlotFate, hasLooked: boolean): boolean {
  // It has no slot, and no transaction that could still be mined.
  if (state === 'queued') return true;
  if (!BEING_CHECKED.includes(state)) return false;
  if (fate === 'expired') return state === 'refused';
  return fate === 'spent-by-payout' || (fate === 'spent-by-stranger' && hasLooked);
}
