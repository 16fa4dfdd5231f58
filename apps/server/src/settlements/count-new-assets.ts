/** Counts the payments of assets that a comparison meets for the first time, or with other decimals (SRV-1). */
import { serverSettingsName } from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { differencesOf, type ReplacedSum, recordCorrection } from './chain-corrections.ts';
import { type AssetUnit, keepCounted, keptSums, sumsWithChanges, unitsOfReading } from './chain-sums.ts';

/** For the assets that have no sums yet, over all their payments. */
const LONGEST_COUNT = '30min';

/**
 * Counts the assets of a reading that have no sums yet, or other decimals now. What it replaces is recorded. It does so in a transaction of
 * its own, so a comparison that fails afterwards does not throw the sums away. While it runs, the database cannot clean up any table.
 */
export async function countNewAssets(database: Database, reading: ChainReading): Promise<void> {
  const { chain } = reading;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    // Before the snapshot: no change is forgotten that this count does not see.
    await transaction.query({ text: 'lock table chain_sum_point in access share mode' });
    const points = await transaction.query<AssetUnit>({
      name: 'chain-sum-points',
      text: 'select contract, unit::text as unit from chain_sum_point where chain = $1',
      values: [chain],
    });
    const unitBefore = new Map(points.map(({ contract, unit }) => [contract, unit]));
    const added = unitsOfReading(reading).filter(({ contract, unit }) => unitBefore.get(contract) !== unit);
    if (added.length === 0) return;
    await transaction.query({ text: `set local statement_timeout = '${LONGEST_COUNT}'` });
    const changed = added.filter(({ contract }) => unitBefore.has(contract));
    if (changed.length === 0) return keepCounted(transaction, chain, added);
    const isChanged = ({ contract }: { readonly contract: string }): boolean =>
      changed.some((asset) => asset.contract === contract);
    const before = await sumsWithChanges(transaction, chain, points.filter(isChanged));
    await keepCounted(transaction, chain, added);
    const after = (await keptSums(transaction, chain)).filter(isChanged);
    const units = changed.map((asset) => changedUnit(asset, unitBefore));
    const replaced = [...units, ...differencesOf(before, after)];
    await recordCorrection(transaction, { chain, replaced, readAgain: 0, by: serverSettingsName });
  });
}

const changedUnit = ({ contract, unit }: AssetUnit, before: ReadonlyMap<string, string>): ReplacedSum => ({
  operatorId: '',
  wallet: '',
  contract,
  part: 'unit',
  kept: before.get(contract) ?? '',
  counted: unit,
});
