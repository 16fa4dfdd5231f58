/** What the watcher asks a chain's node; one file per family of nodes answers it. */

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** The newest block. */
export interface Tip extends Block {
  /** ms since epoch, where the node tells; for people, never for a decision. */
  readonly minedAt?: number;
  /** The node itself names another network than the one that is meant. */
  readonly isForeign?: boolean;
}

/** What one transaction brings to one address, in one asset: several outputs of it are added up. */
export interface Incoming {
  readonly txid: string;
  readonly address: string;
  /** The token's contract; absent: the chain's own coin. */
  readonly contract?: string;
  /** In the asset's smallest unit on this chain. */
  readonly raw: bigint;
  /** Absent: in no block yet. */
  readonly block?: Block;
}

export interface ChainSource {
  tip(): Promise<Tip>;
  /** The hash of the block at a height of the chain as the node believes it now; undefined above its tip. */
  hashAt(height: number): Promise<string | undefined>;
  /**
   * What came to the addresses in the blocks `from` to `to`, both included, and, where the node tells, what is in no block yet.
   * Failed transactions bring nothing. May answer older ones, too.
   */
  incoming(
    addresses: readonly string[],
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly Incoming[]>;
  /** Whether anything ever came to an address or left it; absent where one wallet serves everybody. */
  isUsed?(address: string): Promise<boolean>;
}

/** The node did not answer, or answered nonsense. Nothing is known, so nothing follows. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
}

/** Adds up what one transaction brings to one address in several outputs. */
export function addedUp(parts: readonly Incoming[]): Incoming[] {
  const sums = new Map<string, Incoming>();
  for (const part of parts) {
    const key = `${part.txid} ${part.address} ${part.contract ?? ''}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? part : { ...known, raw: known.raw + part.raw });
  }
  return [...sums.values()];
}
