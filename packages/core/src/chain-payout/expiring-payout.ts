/**
 * Payouts on chains whose transactions expire instead of having a nonce (WD-2), such as TRON. Pure.
 *
 * Two different transactions could both be mined there. So a payout has one transaction that the chain may still take. A second one is
 * prepared only when the first is certainly impossible: irreversible blocks have passed its expiry, and none of them has it.
 */
import type { Sighting } from './chain-payout.ts';

/** A transaction that the chain takes until a moment, at most once, whoever sends it. */
export interface ExpiringTransaction {
  /** The chain's name of it. The same for every signature of the same transaction. */
  readonly hash: string;
  /** Blocks from then on do not take it. Milliseconds since 1970, in the time of the chain's blocks. */
  readonly expiresAt: number;
}

/** What one node shows of an expiring transaction. */
export interface ExpiringView {
  /**
   * The time of a block that the chain cannot take back, in milliseconds. It must be read before the transaction is looked for. To make
   * a transaction impossible it must be at least {@link EXPIRY_MARGIN_MS} old.
   */
  readonly finalTime: number;
  /** The cashier's own clock, in milliseconds. A node that lies about its blocks' time cannot make a transaction impossible. */
  readonly now: number;
  /** The block with the transaction. Undefined: neither an irreversible block of the node nor a newer one has it. */
  readonly block?: ExpiringBlock | undefined;
}

export interface ExpiringBlock {
  /** Confirmations; 1: the newest block. */
  readonly depth: number;
  /** Whether the chain cannot take the block back. */
  readonly isFinal: boolean;
  /** False: the chain took the fee and refused the payment. */
  readonly hasPaid: boolean;
}

/**
 * How old the irreversible block must be that proves an expiry. A public node is many machines. The one that looks for the transaction
 * may be behind the one that returned the block, by less than this.
 */
export const EXPIRY_MARGIN_MS = 120_000;

/** A signer is not asked for a transaction that has less time left: it would refuse, or sign in vain. */
const LEAST_LEFT_TO_SIGN_S = 60;

/**
 * Whether no block can take the transaction any more, when no irreversible block has it. The first block after the expiry may still have
 * it, however late that block is. So the proof is an irreversible block after the expiry, which every machine of the node has.
 */
export function isPastExpiry(
  { expiresAt }: Pick<ExpiringTransaction, 'expiresAt'>,
  { finalTime, now }: Pick<ExpiringView, 'finalTime' | 'now'>,
): boolean {
  return finalTime >= expiresAt && finalTime <= now - EXPIRY_MARGIN_MS;
}

/**
 * What one node's view of the live transaction of a payout means.
 * @param required confirmations that end a payout. A block that the chain can still take back counts fewer
 */
export function sightExpiring(transaction: ExpiringTransaction, view: ExpiringView, required: number): Sighting {
  const { block, now } = view;
  if (block !== undefined) {
    const depth = block.isFinal ? block.depth : Math.min(block.depth, required - 1);
    return { kind: 'mined', hash: transaction.hash, depth, hasPaid: block.hasPaid };
  }
  if (isPastExpiry(transaction, view)) return { kind: 'expired' };
  // Too late to be sent, and too early to be impossible.
  if (now >= transaction.expiresAt) return { kind: 'pending' };
  return { kind: 'missing', spentDepth: 0 };
}

/** Whether a signer should be asked. @param expiresInS seconds until the expiry. Null: the transaction does not expire */
export const isWorthSigning = (expiresInS: number | null): boolean =>
  expiresInS === null || expiresInS >= LEAST_LEFT_TO_SIGN_S;
