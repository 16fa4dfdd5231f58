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

/** What of a chain's assets is watched. */
export interface WatchedAssets {
  /** Contracts, as the chain writes them. */
  readonly tokens: readonly string[];
  /** Whether the chain's own coin is watched. */
  readonly isCoinWatched: boolean;
}

/** Which destinations are ours. The sources ask about what stands in a block, however many of them are waited for. */
export interface Ours {
  /** Of some addresses those that are watched. */
  pick(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Where one wallet serves everybody: every wallet that people were ever shown and that is still watched. */
  wallets(): Promise<readonly string[]>;
}

export interface ScanRange {
  /** Both included. */
  readonly from: number;
  readonly to: number;
  /** The block before `from`, as it was seen; absent: nothing is known of it. */
  readonly after?: Block | undefined;
}

export interface Scan {
  /** Failed transactions bring nothing. */
  readonly parts: readonly Incoming[];
  /** The block at `to`. Every block that was looked at is an ancestor of it. */
  readonly last: Block;
}

export interface ChainSource {
  tip(): Promise<Tip>;
  /** The hash of the block at a height of the chain as the node believes it now; undefined above its tip. */
  hashAt(height: number): Promise<string | undefined>;
  /**
   * What came to ours in some blocks: all of it, or a NodeError.
   * @returns undefined where the block at `from` does not follow `after`: the chain has changed
   */
  scan(ours: Ours, range: ScanRange): Promise<Scan | undefined>;
  /** So many blocks are asked for in one scan. */
  readonly mostBlocks: number;
  /** So many scanned blocks are looked at again each time, where an index may be behind its blocks; 0: none. */
  readonly looksBack: number;
  /** What is on its way to an address and in no block yet; absent where the chain has no such time. */
  unconfirmed?(address: string): Promise<readonly Incoming[]>;
  /** Whether a payment lies in the very block that it names, as it names it. */
  holds(payment: Incoming & { readonly block: Block }): Promise<boolean>;
  /** Whether anything ever came to an address or left it; absent where one wallet serves everybody. */
  isUsed?(address: string): Promise<boolean>;
}

/** {@link ChainSource.holds} by a scan of the block. */
export async function holdsByScan(
  { hashAt, scan }: Pick<ChainSource, 'hashAt' | 'scan'>,
  { block, ...payment }: Incoming & { readonly block: Block },
): Promise<boolean> {
  if ((await hashAt(block.height)) !== block.hash) return false;
  const ours: Ours = {
    pick: async (addresses) => new Set(addresses.filter((address) => address === payment.address)),
    wallets: async () => [payment.address],
  };
  const found = await scan(ours, { from: block.height, to: block.height });
  return (found?.parts ?? []).some((part) => isSame(part, payment) && part.block?.hash === block.hash);
}

function isSame(one: Incoming, other: Incoming): boolean {
  const { txid, address, raw, contract } = one;
  return txid === other.txid && address === other.address && raw === other.raw && contract === other.contract;
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

/** Of some payments those that came to ours. */
export async function picked(parts: readonly Incoming[], ours: Ours): Promise<Incoming[]> {
  const known = await ours.pick([...new Set(parts.map(({ address }) => address))]);
  return parts.filter(({ address }) => known.has(address));
}

/** {@link ChainSource.scan} of a chain whose blocks name the one before: block after block, each an ancestor of the next. */
export async function scanInOrder(
  { from, to, after }: ScanRange,
  look: (height: number, after: Block | undefined) => Promise<{ block: Block; parts: readonly Incoming[] } | undefined>,
): Promise<Scan | undefined> {
  const parts: Incoming[] = [];
  let last = after;
  for (let height = from; height <= to; height += 1) {
    const looked = await look(height, last);
    if (looked === undefined) {
      if (height === from) return undefined;
      throw new NodeError('The chain changed while it was looked at');
    }
    parts.push(...looked.parts);
    last = looked.block;
  }
  if (last === undefined) throw new RangeError('No block to look at');
  return { parts, last };
}
