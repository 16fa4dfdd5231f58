/** Counts the sums of all chains again, over all payments, and compares them with the kept ones (SRV-1). */
import type { Database } from '../database/database.ts';
import {
  type AssetUnit,
  type ChainSum,
  countedAssets,
  countSums,
  keepCounted,
  leftWrongly,
  sumsWithChanges,
} from './chain-sums.ts';

/** A sum that is kept and that all payments do not add up to. */
export interface WrongSum {
  readonly chain: string;
  readonly operatorId: string;
  readonly wallet: string;
  readonly contract: string;
  readonly part: 'credited' | 'paidOut' | 'rests' | 'sent' | 'cost';
  readonly kept: bigint;
  readonly counted: bigint;
}

const PARTS = ['credited', 'paidOut', 'rests', 'sent', 'cost'] as const;

/** What was found on one chain. */
export interface Recount {
  readonly chain: string;
  readonly wrong: readonly WrongSum[];
  /** Payments that no comparison reads any more, although they may not agree with their balance. */
  readonly leftWrongly: number;
}

/**
 * Reads all payments of each chain, in one snapshot of it, without a limit of time. Each chain is ended before the next one begins.
 * @param isCorrected the counted sums replace those that are wrong, and comparisons read payments again that were left wrongly
 */
export async function* recountSums(database: Database, isCorrected: boolean): AsyncGenerator<Recount> {
  const assets = await countedAssets(database);
  for (const chain of new Set(assets.map((asset) => asset.chain))) {
    const units = assets.filter((asset) => asset.chain === chain);
    yield await recountChain(database, { chain, units, isCorrected });
  }
}

function recountChain(
  database: Database,
  of: { readonly chain: string; readonly units: readonly AssetUnit[]; readonly isCorrected: boolean },
): Promise<Recount> {
  const { chain, units, isCorrected } = of;
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    await transaction.query({ text: 'set local statement_timeout = 0' });
    const kept = await sumsWithChanges(transaction, chain, units);
    const counted = await countSums(transaction, chain, units);
    const wrong = differencesOf(chain, kept, counted);
    if (isCorrected && wrong.length > 0) await keepCounted(transaction, chain, units);
    return { chain, wrong, leftWrongly: await leftWrongly(transaction, chain, isCorrected) };
  });
}

function differencesOf(chain: string, kept: readonly ChainSum[], counted: readonly ChainSum[]): WrongSum[] {
  const keyOf = ({ operatorId, wallet, contract }: ChainSum): string => JSON.stringify([operatorId, wallet, contract]);
  const byKey = (sums: readonly ChainSum[]): ReadonlyMap<string, ChainSum> =>
    new Map(sums.map((sum) => [keyOf(sum), sum]));
  const keptOf = byKey(kept);
  const countedOf = byKey(counted);
  return [...new Map([...keptOf, ...countedOf])].flatMap(([key, { operatorId, wallet, contract }]) =>
    PARTS.flatMap((part) => {
      const difference = { kept: keptOf.get(key)?.[part] ?? 0n, counted: countedOf.get(key)?.[part] ?? 0n };
      const isWrong = difference.kept !== difference.counted;
      return isWrong ? [{ chain, operatorId, wallet, contract, part, ...difference }] : [];
    }),
  );
}
