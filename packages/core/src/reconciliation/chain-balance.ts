/** Judges what a chain says an operator has of one coin, against what the ledger expects there (SRV-1, SRV-2). */

/** A difference that nobody has ended yet. */
export interface OpenDifference {
  readonly id: string;
  /** What the chain had beyond the ledger when it was found, in minor units. Never 0. */
  readonly difference: bigint;
}

export interface ChainBalance {
  /** What the chain says, in minor units. */
  readonly found: bigint;
  /** What the ledger says, with all that two people have ended. */
  readonly expected: bigint;
  /** Incoming money that the balance may hold and that `expected` does not count. At least 0. */
  readonly mayBeIn: bigint;
  /** Money that `expected` counts and that may have left, or not have come, when the balance was read. At least 0. */
  readonly mayBeOut: bigint;
  /** The differences that are still open, the oldest first. */
  readonly open: readonly OpenDifference[];
}

export interface BalanceVerdict {
  /** Open differences that are no more. */
  readonly cleared: readonly string[];
  /** A difference that no open one explains. Absent: there is none. */
  readonly raised?: bigint;
  /**
   * What of the money in progress the balance holds, or lacks if negative, when the open differences afterwards are true. `found` is always
   * `expected`, these differences and this sum. From `-mayBeOut` to `mayBeIn`.
   */
  readonly inProgress: bigint;
}

/**
 * Each reading raises only what changed since the reading before, so that a difference keeps its age until somebody ends it. Where nothing
 * is in progress, the open differences afterwards add up to `found - expected`. Money in progress makes that a range: then the smallest
 * difference counts that the range allows, and a later reading raises the rest.
 */
export function judgeBalance(balance: ChainBalance): BalanceVerdict {
  const { cleared, raised } = changesOf(balance);
  const stays = balance.open.filter(({ id }) => !cleared.includes(id));
  const differences = stays.reduce((sum, { difference }) => sum + difference, raised ?? 0n);
  return {
    cleared,
    ...(raised !== undefined && { raised }),
    inProgress: balance.found - balance.expected - differences,
  };
}

function changesOf({ found, expected, mayBeIn, mayBeOut, open }: ChainBalance): Omit<BalanceVerdict, 'inProgress'> {
  const least = found - expected - mayBeIn;
  const most = found - expected + mayBeOut;
  const known = open.reduce((sum, { difference }) => sum + difference, 0n);
  const isExplained = (sum: bigint): boolean => least <= sum && sum <= most;
  if (least === 0n && most === 0n) return { cleared: open.map(({ id }) => id) };
  if (isExplained(known)) return { cleared: [] };
  if (isExplained(0n)) return { cleared: open.map(({ id }) => id) };
  const raised = (known < least ? least : most) - known;
  // A part that came back, such as a sweep that was read in between.
  const undone = open.find(({ difference }) => isExplained(known - difference));
  return undone === undefined ? { cleared: [], raised } : { cleared: [undone.id] };
}

/** A reading of a chain, in minor units, as a statement of funds uses it. */
export interface ReadCoins {
  /** What the chain says. */
  readonly found: bigint;
  /** What the ledger had of the coins on this chain when they were read, by the operator's own journals. */
  readonly booked: bigint;
  /** What `found` holds, or lacks if negative, that the ledger booked later or never. */
  readonly inProgress: bigint;
}

/**
 * What the ledger has of coins and the readings of their chains do not (SRV-2): what moved since. Money that moved before a reading and is
 * booked after it is in `found` already, so it counts once, before and after its journal.
 * @param inLedger what the ledger has of the coins now, on all these chains
 * @returns negative: coins left since the readings
 */
export function movedSinceRead(inLedger: bigint, readings: readonly ReadCoins[]): bigint {
  return readings.reduce((sum, { booked, inProgress }) => sum - booked - inProgress, inLedger);
}

/** Balances are read each day in UTC. A reading that is older than a day and a half was not replaced in time. */
const COMPARED_WITHIN_MS = 36 * 3_600_000;

/**
 * Whether a balance may no longer be shown as the present one: nobody compared it with its chain in time (SRV-1, SRV-2).
 * @param at the time that is asked for, not before `readAt`
 */
export function isOutOfDate(readAt: Date, at: Date): boolean {
  return at.getTime() - readAt.getTime() > COMPARED_WITHIN_MS;
}
