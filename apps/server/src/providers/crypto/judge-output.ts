/** Judges a payment by the chain as it is now. Pure, so that tests can try every order of blocks and reorganisations. */
import type { OutputReport } from '@opencashier/core/reconciliation/output-in-balance';
import type { Block } from './chain/chain-source.ts';

/** A payment, as earlier rounds left it. */
export interface KnownOutput {
  readonly block: Block | undefined;
  /** The last report. */
  readonly reported: OutputReport;
  /** The tip's height when the payment was first missing. Undefined while it is in the chain. */
  readonly goneAtHeight: number | undefined;
}

export interface ChainView {
  readonly tip: Block;
  /** Whether the node still has an unconfirmed payment. Undefined where the node was not asked. */
  readonly isWaiting?: boolean | undefined;
  /** The hash that the chain has now at the payment's height. Undefined above the tip. */
  readonly hashThere: string | undefined;
  /** Confirmations that a credit needs. */
  readonly required: number;
  /** The height up to which the chain calls its blocks irreversible. Undefined: confirmations alone decide. */
  readonly finalHeight?: number | undefined;
}

export type Verdict =
  /** Seen, without enough confirmations. 0 means in no block. */
  | { readonly kind: 'pending'; readonly confirmations: number }
  | { readonly kind: 'paid'; readonly confirmations: number; readonly isSettled: boolean }
  /** Neither in the chain nor unconfirmed. It may come back. */
  | { readonly kind: 'missing' }
  /** It was credited, and enough blocks without it have passed. */
  | { readonly kind: 'taken-back' }
  /** It was seen and never credited, and enough blocks without it have passed. It was replaced or dropped. */
  | { readonly kind: 'gone' }
  /** The node was not asked, so nothing new is known. */
  | { readonly kind: 'unasked' };

/** A payment with this many times the required confirmations is not checked again. */
const SETTLED_AT = 6;

/** Whether a payment has so many confirmations that no reorganisation removes it. */
export function isSettledAt(confirmations: number, required: number): boolean {
  return confirmations >= required * SETTLED_AT;
}

/** An unconfirmed payment that is missing for this many blocks was replaced or dropped. Lagging nodes have caught up by then. */
const GONE_AFTER = 1;

/** The verdict on a payment. Moves no money by itself: the watcher reports it. */
export function judgeOutput(
  output: KnownOutput,
  { tip, isWaiting, hashThere, required, finalHeight }: ChainView,
): Verdict {
  const { block, reported } = output;
  const isInChain = block !== undefined && block.height <= tip.height && hashThere === block.hash;
  if (isInChain) {
    const confirmations = tip.height - block.height + 1;
    const isFinal = finalHeight === undefined || block.height <= finalHeight;
    if (confirmations >= required && isFinal)
      return { kind: 'paid', confirmations, isSettled: isSettledAt(confirmations, required) };
    // A payer never sees all confirmations beside a payment that waits for its block to become irreversible.
    return { kind: 'pending', confirmations: isFinal ? confirmations : Math.min(confirmations, required - 1) };
  }
  if (block === undefined && isWaiting === true) return { kind: 'pending', confirmations: 0 };
  if (block === undefined && isWaiting === undefined) return { kind: 'unasked' };
  // Count from the payment's own block, because a node that is still catching up has not reached that block yet.
  const goneSince = output.goneAtHeight === undefined ? undefined : Math.max(output.goneAtHeight, block?.height ?? 0);
  const goneFor = goneSince === undefined ? 0 : tip.height - goneSince;
  if (reported === 'paid')
    return goneSince !== undefined && goneFor >= required ? { kind: 'taken-back' } : { kind: 'missing' };
  const isLongGone = goneFor >= (block === undefined ? GONE_AFTER : required);
  return reported === 'seen' && isLongGone ? { kind: 'gone' } : { kind: 'missing' };
}
