/** Counts the sums of all chains again, over all payments, and compares them with the kept ones (SRV-1). */
import type { Database } from '../database/database.ts';
import { differencesOf, type ReplacedSum, recordCorrection } from './chain-corrections.ts';
import { type AssetUnit, countedAssets, countSums, keepCounted, leftWrongly, sumsWithChanges } from './chain-sums.ts';

/** What was found on one chain. */
export interface Recount {
  readonly chain: string;
  readonly wrong: readonly ReplacedSum[];
  /** Payments that no comparison reads any more, although they may not agree with their balance. */
  readonly leftWrongly: number;
}

/**
 * Reads all payments of each chain, in one snapshot of it, without a limit of time. Each chain is ended before the next one begins.
 * @param correctedBy who lets the counted sums replace those that are wrong, and comparisons read payments again that were left wrongly.
 * This is recorded. Absent: nothing changes
 */
export async function* recountSums(database: Database, correctedBy?: string): AsyncGenerator<Recount> {
  const assets = await countedAssets(database);
  for (const chain of new Set(assets.map((asset) => asset.chain))) {
    const units = assets.filter((asset) => asset.chain === chain);
    yield await recountChain(database, { chain, units, correctedBy });
  }
}

function recountChain(
  database: Database,
  of: { readonly chain: string; readonly units: readonly AssetUnit[]; readonly correctedBy: string | undefined },
): Promise<Recount> {
  const { chain, units, correctedBy } = of;
  const isCorrected = correctedBy !== undefined;
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    await transaction.query({ text: 'set local statement_timeout = 0' });
    const kept = await sumsWithChanges(transaction, chain, units);
    const counted = await countSums(transaction, chain, units);
    const wrong = differencesOf(kept, counted);
    if (isCorrected && wrong.length > 0) await keepCounted(transaction, chain, units);
    const found = { chain, wrong, leftWrongly: await leftWrongly(transaction, chain, isCorrected) };
    if (isCorrected && (wrong.length > 0 || found.leftWrongly > 0)) {
      await recordCorrection(transaction, { chain, replaced: wrong, readAgain: found.leftWrongly, by: correctedBy });
    }
    return found;
  });
}
