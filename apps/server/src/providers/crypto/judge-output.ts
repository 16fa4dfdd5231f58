/** What a chain says of a payment at this moment. Pure, so that every order of blocks and reorganisations can be tried. */
import type { Block } from './chain-source.ts';

/** What is known of a payment from earlier rounds. */
export interface KnownOutput {
  readonly block: Block | undefined;
  readonly told: 'new' | 'seen' | 'paid' | 'taken-back';
  /** The tip's height when it was first missing. */
  readonly goneAtHeight: number | undefined;
}

export interface ChainView {
  readonly tip: Block;
  /** Whether this round's answer of the node has it: in a block, or waiting for one. */
  readonly isReported: boolean;
  /** The hash that the chain has now at the payment's height. */
  readonly hashThere: string | undefined;
  /** Confirmations that a credit needs. */
  readonly required: number;
}

export type Verdict =
  /** Seen, and not deep enough. 0: in no block. */
  | { readonly kind: 'pending'; readonly confirmations: number }
  | { readonly kind: 'paid'; readonly confirmations: number; readonly isSettled: boolean }
  /** Neither in the chain nor waiting; it may come back. */
  | { readonly kind: 'missing' }
  /** It was credited, and the chain has gone on long enough without it. */
  | { readonly kind: 'taken-back' };

/** After as many times the needed depth nobody looks again. */
const SETTLED_AT = 6;

export function judgeOutput(output: KnownOutput, { tip, isReported, hashThere, required }: ChainView): Verdict {
  const { block } = output;
  const isInChain = block !== undefined && block.height <= tip.height && hashThere === block.hash;
  if (isInChain) {
    const confirmations = tip.height - block.height + 1;
    return confirmations >= required
      ? { kind: 'paid', confirmations, isSettled: confirmations >= required * SETTLED_AT }
      : { kind: 'pending', confirmations };
  }
  if (block === undefined && isReported) return { kind: 'pending', confirmations: 0 };
  // A node that is still catching up has not reached the block yet: what it lacks is no evidence.
  const goneSince = output.goneAtHeight === undefined ? undefined : Math.max(output.goneAtHeight, block?.height ?? 0);
  const isLongGone = goneSince !== undefined && tip.height - goneSince >= required;
  return output.told === 'paid' && isLongGone ? { kind: 'taken-back' } : { kind: 'missing' };
}
