/** What the watcher asks a chain's node. Each family of nodes has one implementation. */

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** The newest block. */
export interface Tip extends Block {
  /** Milliseconds since the epoch, where the node says so. For people, never for a decision. */
  readonly minedAt?: number;
  /** The node says that it is on another network than the settings mean, such as a test network. */
  readonly isForeign?: boolean;
}

/** What one transaction brings to one address, in one asset. Several outputs are added up. */
export interface IncomingPayment {
  readonly txid: string;
  readonly address: string;
  /** The token's contract. Absent: the chain's own coin. */
  readonly contract?: string;
  /** In the asset's smallest unit on this chain. */
  readonly raw: bigint;
  /** Absent while the transaction is in no block. */
  readonly block?: Block;
}

/** The assets of a chain that are watched. */
export interface WatchedAssets {
  /** Contracts, as the chain writes them. */
  readonly tokens: readonly string[];
  /** Whether the chain's own coin is watched. */
  readonly isCoinWatched: boolean;
}

/** Which addresses are ours. A source asks about the addresses in a block, so its work does not grow with our addresses. */
export interface OurAddresses {
  /** Those of the given addresses that are watched. */
  pick(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Every wallet that payers were shown and that is still watched. Only for chains on which all deposits share one wallet. */
  wallets(): Promise<readonly string[]>;
  /**
   * A page of the watched addresses in their order, with the token that each was given for ('': the chain's own coin). Only for chains
   * whose blocks are not read.
   * @param after the last address of the page before. '' for the first page
   */
  watched(after: string, most: number): Promise<readonly { readonly address: string; readonly contract: string }[]>;
}

export interface ScanRange {
  /** Both included. */
  readonly from: number;
  readonly to: number;
  /** The block before `from`, as an earlier scan saw it. Absent: there was no earlier scan. */
  readonly after?: Block | undefined;
}

export interface Scan {
  /** Without the payments of failed transactions. */
  readonly payments: readonly IncomingPayment[];
  /** The block at `to`. Every scanned block is its ancestor. */
  readonly last: Block;
}

/** An asset of an address whose balance is read. */
export interface BalancePlace {
  readonly address: string;
  /** '' for the chain's own coin. */
  readonly contract: string;
}

export interface BalancesAt {
  /** In the asset's smallest unit, in the order of the places, without what is in no block yet. */
  readonly raws: readonly bigint[];
  /** The node answered between these blocks. The same one where it was asked for the state at a block. */
  readonly first: number;
  readonly last: number;
}

/** Every method throws NodeError when the node does not answer, or answers nonsense. */
export interface ChainSource {
  tip(): Promise<Tip>;
  /** The hash of the block at a height, on the branch that the node follows now. Undefined above its tip. */
  hashAt(height: number): Promise<string | undefined>;
  /**
   * All payments to our addresses in some blocks. A scan that could miss one throws NodeError.
   * @returns undefined where the block at `from` does not follow `after`, because the chain has changed
   */
  scan(ours: OurAddresses, range: ScanRange): Promise<Scan | undefined>;
  /** The largest number of blocks in one scan. */
  readonly mostBlocks: number;
  /** How many scanned blocks each scan reads again. More than 0 where the node's index may lag behind its blocks. */
  readonly looksBack: number;
  /** Payments to an address that are in no block yet. Absent where the chain shows none. */
  unconfirmed?(address: string): Promise<readonly IncomingPayment[]>;
  /**
   * The height up to which the chain itself calls its blocks irreversible. Absent: confirmations alone decide.
   * @throws NodeError also where the node does not know it
   */
  finalHeight?(): Promise<number>;
  /** Whether the node has this payment, with this amount, in this block. */
  holds(payment: IncomingPayment & { readonly block: Block }): Promise<boolean>;
  /**
   * What addresses have, at the block `height` where the node can say it, and else now. Optional for a source that reads none.
   * @param height the tip when the question was decided
   */
  balances?(places: readonly BalancePlace[], height: number): Promise<BalancesAt>;
  /** Whether the address ever received or sent anything. Absent where all deposits share one wallet. */
  isUsed?(address: string): Promise<boolean>;
}

/** The node did not answer, or answered nonsense. The watcher then changes nothing. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
}

/** The node did not answer in time or at all. To ask it more would only take time. */
export class NodeSilenceError extends NodeError {}

/** One URL often has several nodes behind it. The node that answers now may lag behind the node that named the tip. */
export function missingBlock(height: number): NodeError {
  return new NodeError(`The node does not have block ${height} yet`);
}
