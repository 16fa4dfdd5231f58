/** Decides which blocks of a chain are scanned next, and which hashes are known without asking the node. */
import type { Block, ChainSource, OurAddresses, Scan, Tip } from './chain/chain-source.ts';
import type { StoredOutput } from './crypto-store.ts';
import { isSettledAt } from './judge-output.ts';

/** The first scan starts this many blocks before the first address was given out. */
const FIRST_BLOCKS = 3;
/** The first scan covers at most this many blocks, or the blocks of a day where that is more. People pay to an address for a day. */
const MOST_MISSED = 50;
const MOST_MISSED_MS = 24 * 3_600_000;

interface ScannedChain {
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly required: number;
  readonly intervalMs: number;
}

interface ScanParts {
  readonly hashAt: (height: number) => Promise<string | undefined>;
  readonly ours: OurAddresses;
}

/** Scans the blocks after the last scanned one. After a fork the scan goes back further than any expected fork. */
export async function scanNext(
  { sources: [source], required, intervalMs }: ScannedChain,
  tip: Tip,
  scanned: Block | undefined,
  openedForS: number,
  { hashAt, ours }: ScanParts,
): Promise<{ readonly scan: Scan | undefined; readonly hasForked: boolean }> {
  const through = async (from: number, after?: Block): Promise<Scan | undefined> => {
    const start = Math.max(0, from);
    return source.scan(ours, { from: start, to: Math.min(tip.height, start + source.mostBlocks - 1), after });
  };
  if (scanned === undefined) {
    // The first address may have been paid before the first round, or while the node was down.
    const most = Math.max(MOST_MISSED, Math.ceil(MOST_MISSED_MS / intervalMs));
    const missed = Math.min(Math.ceil((openedForS * 1000) / intervalMs) + FIRST_BLOCKS, most);
    return { scan: await through(tip.height - missed + 1), hasForked: true };
  }
  // One URL often has several nodes behind it, and the node that answers now may lag.
  if (tip.height < scanned.height) return { scan: undefined, hasForked: true };
  if (tip.height === scanned.height && tip.hash === scanned.hash) return { scan: undefined, hasForked: false };
  if (source.looksBack > 0) {
    const isSame = (await hashAt(scanned.height)) === scanned.hash;
    if (isSame) return { scan: await through(scanned.height + 1 - source.looksBack), hasForked: false };
  } else if (tip.height > scanned.height) {
    const scan = await through(scanned.height + 1, scanned);
    if (scan !== undefined) return { scan, hasForked: false };
  }
  return { scan: await through(Math.min(scanned.height, tip.height) - required * 2), hasForked: true };
}

interface HashQuestion extends Pick<ScanParts, 'hashAt'> {
  readonly tip: Tip;
  readonly required: number;
  readonly finalHeight: number | undefined;
  readonly hasForked: boolean;
}

/**
 * The hash that the chain has now at a payment's height. Every scanned block is an ancestor of the newest one, so without a fork the
 * stored hash still holds. The node is asked only when money is about to move or the payment was missing before.
 */
export async function hashThere(
  { reported, goneAtHeight }: StoredOutput,
  block: Block,
  { tip, required, finalHeight = block.height, hasForked, hashAt }: HashQuestion,
): Promise<string | undefined> {
  if (block.height > tip.height) return undefined;
  const depth = tip.height - block.height + 1;
  const isDecided = (reported === 'paid' || reported === 'taken-back') && !isSettledAt(depth, required);
  const isKnown =
    !hasForked && goneAtHeight === undefined && (isDecided || depth < required || block.height > finalHeight);
  return isKnown ? block.hash : hashAt(block.height);
}
