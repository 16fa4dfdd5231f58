/** What a chain says of a payment at this moment. Pure, so that every order of blocks and reorganisations can be tried. */
import type { Block } from './chain/chain-source.ts';

/** What is known of a payment from earlier rounds. */
export interface KnownOutput {
  readonly block: Block | undefined;
  /** `gone`: it vanished before its credit, and was told so. */
  readonly told: 'new' | 'seen' | 'gone' | 'paid' | 'taken-back';
  /** The tip's height when it was first missing. */
  readonly goneAtHeight: number | undefined;
}

export interface ChainView {
  readonly tip: Block;
  /** Of a payment in no block: whether the node still has it on its way; undefined: not asked. */
  readonly isWaiting?: boolean | undefined;
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
  | { readonly kind: 'taken-back' }
  /** It was seen and never credited, and the chain has gone on without it: replaced, or dropped. */
  | { readonly kind: 'gone' }
  /** Nothing new is known of it. */
  | { readonly kind: 'unasked' };

/** After as many times the needed depth nobody looks again. */
const SETTLED_AT = 6;

/** Whether a payment lies deep enough that no chain takes it back. */
export function isSettledAt(confirmations: number, required: number): boolean {
  return confirmations >= required * SETTLED_AT;
}

/** A payment in no block that is away for as many blocks was replaced or dropped: nodes that lag have caught up by then. */
const GONE_AFTER = 1;

export function judgeOutput(output: KnownOutput, { tip, isWaiting, hashThere, required }: ChainView): Verdict {
  const { block, told } = output;
  const isInChain = block !== undefined && block.height <= tip.height && hashThere === block.hash;
  if (isInChain) {
    const confirmations = tip.height - block.height + 1;
    return confirmations >= required
      ? { kind: 'paid', confirmations, isSettled: isSettledAt(confirmations, required) }
      : { kind: 'pending', confirmations };
  }
  if (block === undefined && isWaiting === true) return { kind: 'pending', confirmations: 0 };
  if (block === undefined && isWaiting === undefined) return { kind: 'unasked' };
  // A node that is still catching up has not reached the block yet: what it lacks is no evidence.
  const goneSince = output.goneAtHeight === undefined ? undefined : Math.max(output.goneAtHeight, block?.height ?? 0);
  const goneFor = goneSince === undefined ? 0 : tip.height - goneSince;
  if (told === 'paid')
    return goneSince !== undefined && goneFor >= required ? { kind: 'taken-back' } : { kind: 'missing' };
  const isLongGone = goneFor >= (block === undefined ? GONE_AFTER : required);
  return told === 'seen' && isLongGone ? { kind: 'gone' } : { kind: 'missing' };
}
