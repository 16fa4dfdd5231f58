/** Which blocks of a chain are looked through next, and what of the chain is known without asking. */
import type { Block, ChainSource, Ours, Scan, Tip } from './chain/chain-source.ts';
import type { StoredOutput } from './crypto-store.ts';
import { isSettledAt } from './judge-output.ts';

/**
 * Looked at before the first address was given out, and at most: so many blocks, or those of a day where that is more. The node may have
 * been away since that address was given out, and people pay to one for a day.
 */
const FIRST_BLOCKS = 3;
const MOST_MISSED = 50;
const MOST_MISSED_MS = 24 * 3_600_000;
interface ScannedChain {
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly required: number;
  readonly intervalMs: number;
}

interface ScanParts {
  readonly hashAt: (height: number) => Promise<string | undefined>;
  readonly ours: Ours;
}

/** The blocks behind what is known; after a fork as far back as forks go. */
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
    // The first address may be paid before the first round.
    const most = Math.max(MOST_MISSED, Math.ceil(MOST_MISSED_MS / intervalMs));
    const missed = Math.min(Math.ceil((openedForS * 1000) / intervalMs) + FIRST_BLOCKS, most);
    return { scan: await through(tip.height - missed + 1), hasForked: true };
  }
  // Behind one address there are often several nodes, and the one that answers now may be behind.
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

/**
 * The hash that the chain has now at a payment's height. Every scanned block is an ancestor of the newest one, so without a fork
 * nothing below it has changed; the node is asked where money is about to move, or where something is odd.
 */
export async function hashThere(
  { told, goneAtHeight }: StoredOutput,
  block: Block,
  { tip, required, hasForked, hashAt }: Pick<ScanParts, 'hashAt'> & { tip: Tip; required: number; hasForked: boolean },
): Promise<string | undefined> {
  if (block.height > tip.height) return undefined;
  const depth = tip.height - block.height + 1;
  const isDecided = (told === 'paid' || told === 'taken-back') && !isSettledAt(depth, required);
  const isKnown = !hasForked && goneAtHeight === undefined && (isDecided || depth < required);
  return isKnown ? block.hash : hashAt(block.height);
}
