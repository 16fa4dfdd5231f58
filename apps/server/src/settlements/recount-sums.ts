/** Counts the sums of all chains again, over all payments, and compares them with the kept ones (SRV-1). */
import type { Database, Transaction } from '../database/database.ts';
import {
  type AssetUnit,
  type ChainSum,
  countedAssets,
  countSums,
  keepCounted,
  leftWrongly,
  sumsWithChanges,
} from './chain-sums.ts';

/** A sum that is kept and that all payments do not add up to. Both are decimal strings. */
export interface WrongSum {
  readonly operatorId: string;
  readonly wallet: string;
  readonly contract: string;
  readonly part: 'credited' | 'paidOut' | 'rests' | 'sent' | 'cost';
  readonly kept: string;
  readonly counted: string;
}

const PARTS = ['credited', 'paidOut', 'rests', 'sent', 'cost'] as const;

/** What a recount replaced, and who let it. */
export interface ChainCorrection extends Recount {
  readonly by: string;
  readonly at: Date;
}

/** What was found on one chain. */
export interface Recount {
  readonly chain: string;
  readonly wrong: readonly WrongSum[];
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
    if (isCorrected && (wrong.length > 0 || found.leftWrongly > 0)) await record(transaction, found, correctedBy);
    return found;
  });
}

async function record(transaction: Transaction, { chain, wrong, leftWrongly }: Recount, by: string): Promise<void> {
  await transaction.query({
    text: 'insert into chain_sum_correction (chain, wrong, read_again, by) values ($1, $2, $3, $4)',
    values: [chain, JSON.stringify(wrong), leftWrongly, by],
  });
}

/** The newest corrections, the newest first. */
export function chainCorrections(database: Database, most: number): Promise<ChainCorrection[]> {
  return database.query<ChainCorrection>({
    text: `select chain, wrong, read_again as "leftWrongly", by, at from chain_sum_correction order by place desc limit $1`,
    values: [most],
  });
}

function differencesOf(kept: readonly ChainSum[], counted: readonly ChainSum[]): WrongSum[] {
  const keyOf = ({ operatorId, wallet, contract }: ChainSum): string => JSON.stringify([operatorId, wallet, contract]);
  const byKey = (sums: readonly ChainSum[]): ReadonlyMap<string, ChainSum> =>
    new Map(sums.map((sum) => [keyOf(sum), sum]));
  const keptOf = byKey(kept);
  const countedOf = byKey(counted);
  return [...new Map([...keptOf, ...countedOf])].flatMap(([key, { operatorId, wallet, contract }]) =>
    PARTS.flatMap((part) => {
      const [before, now] = [keptOf.get(key)?.[part] ?? 0n, countedOf.get(key)?.[part] ?? 0n];
      return before === now ? [] : [{ operatorId, wallet, contract, part, kept: String(before), counted: String(now) }];
    }),
  );
}
