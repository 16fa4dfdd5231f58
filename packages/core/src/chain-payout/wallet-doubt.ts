/**
 * Whether what nodes say about a hot wallet fits what the cashier knows of its own payouts (WD-2). Pure.
 *
 * A node that lags shows a slot that is spent as free. A node that lies names a slot that is far away, and the payout would hang there. A
 * database that lost its newest rows does not know of payouts that were made: the chain then shows more than the database. Each means that
 * nothing new is prepared. None of them ends a payout, and nothing that has begun is touched.
 */

/** What one node says about the slots that a prepared transaction wants. */
export type SlotClaim =
  /** The wallet has a nonce or a seqno. `spent`: the first one that no block has spent. `next`: with transactions in no block, too. */
  | { readonly kind: 'counter'; readonly spent: bigint; readonly next: bigint }
  /** The wallet has outputs, as `txid:index`. All that are unspent, in a block. */
  | { readonly kind: 'outputs'; readonly unspent: readonly string[] }
  /** The transaction names a block. `newestAt`: the time of the node's newest block, in milliseconds since 1970. */
  | { readonly kind: 'reference'; readonly hasBlock: boolean; readonly newestAt: number };

/** What the cashier knows of the slots of its own payouts. It must be read after the claims, or a payout of another process looks strange. */
export interface OwnSlots {
  /** The first counter after those that ended payouts have spent. Undefined: none has. */
  readonly spent: bigint | undefined;
  /**
   * The first counter after those that payouts have or had, and that staff accepted. One that was given up does not count until another
   * payout has it. Undefined: no payout ever kept one.
   */
  readonly reserved: bigint | undefined;
  /** An ended payout has spent one of the slots that the prepared transaction wants. */
  readonly isSpent: boolean;
}

/**
 * - `node-behind`: a node does not know a payment of ours that is final, or its newest block is old.
 * - `nodes-disagree`: the nodes do not say the same, or one says two things.
 * - `used-elsewhere`: all nodes show a transaction of the wallet that the cashier does not know. Staff must look.
 */
export const WALLET_DOUBTS = ['node-behind', 'nodes-disagree', 'used-elsewhere'] as const;
export type WalletDoubt = (typeof WALLET_DOUBTS)[number];

/** A node whose newest block is so much older than that of another node is behind, in milliseconds. */
export const MOST_BEHIND_MS = 60_000;

/**
 * @param slots what the prepared transaction wants to spend
 * @param claims of all nodes. The first node prepared the transaction
 * @returns undefined when nothing speaks against the slots
 */
export function doubtOf(
  slots: readonly string[],
  own: OwnSlots,
  claims: readonly SlotClaim[],
): WalletDoubt | undefined {
  if (own.isSpent) return 'node-behind';
  const counters = claims.filter((claim) => claim.kind === 'counter');
  if (counters.length > 0) return doubtOfCounters(slots, own, counters);
  const outputs = claims.filter((claim) => claim.kind === 'outputs');
  // The chosen outputs were unspent for the node that named them. The one that lacks them may be ahead or behind.
  if (outputs.some(({ unspent }) => !slots.every((slot) => unspent.includes(slot)))) return 'nodes-disagree';
  const references = claims.filter((claim) => claim.kind === 'reference');
  const times = references.map(({ newestAt }) => newestAt);
  if (Math.max(...times) - Math.min(...times) > MOST_BEHIND_MS) return 'node-behind';
  return references.every(({ hasBlock }) => hasBlock) ? undefined : 'nodes-disagree';
}

/**
 * The smallest number that a node names as the first one that no block has spent. So all nodes have the transactions before it, and nobody
 * can look up the others yet. Undefined: the wallet has no counter.
 */
export function smallestNext(claims: readonly SlotClaim[]): bigint | undefined {
  return claims
    .flatMap((claim) => (claim.kind === 'counter' ? [claim.spent] : []))
    .reduce<bigint | undefined>((least, one) => (least === undefined || one < least ? one : least), undefined);
}

type Counter = Extract<SlotClaim, { readonly kind: 'counter' }>;

function doubtOfCounters(
  slots: readonly string[],
  { spent, reserved }: OwnSlots,
  counters: readonly Counter[],
): WalletDoubt | undefined {
  const isBehind = (counter: bigint): boolean => spent !== undefined && counter < spent;
  const isAhead = (counter: bigint): boolean => reserved !== undefined && counter > reserved;
  const behind = counters.filter((claim) => isBehind(claim.spent)).length;
  const ahead = counters.filter((claim) => isAhead(claim.next)).length;
  if (ahead === counters.length && behind === 0) return 'used-elsewhere';
  if (ahead > 0) return 'nodes-disagree';
  if (behind > 0) return 'node-behind';
  const wanted = slots.map(BigInt);
  // Nothing is known of a new wallet, so its nodes must say the same.
  if (reserved === undefined) {
    const said = new Set([...counters.flatMap((claim) => [claim.spent, claim.next]), ...wanted]);
    return said.size === 1 ? undefined : 'nodes-disagree';
  }
  // A URL often has several machines behind it. The one that named the slot may not be the one that was compared.
  return wanted.some((slot) => isBehind(slot) || isAhead(slot)) ? 'nodes-disagree' : undefined;
}
