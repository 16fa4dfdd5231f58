/** The record of kept sums of chains that counted ones replaced (SRV-1): who let it happen, and what was kept and counted. */
import type { Database, Transaction } from '../database/database.ts';
import type { ChainSum } from './chain-sums.ts';

const PARTS = ['credited', 'paidOut', 'rests', 'sent', 'cost'] as const;

/** A sum that is kept and that all payments do not add up to. Both are decimal strings. */
export interface ReplacedSum {
  /** '' for the unit, which is the same for all operators. */
  readonly operatorId: string;
  readonly wallet: string;
  readonly contract: string;
  /** `unit`: the smallest units of the asset in one minor unit of the ledger, by which all was counted. */
  readonly part: (typeof PARTS)[number] | 'unit';
  readonly kept: string;
  readonly counted: string;
}

/** What was replaced on one chain, and who let it. */
export interface ChainCorrection {
  readonly chain: string;
  readonly replaced: readonly ReplacedSum[];
  /** Payments that comparisons read again since, although they had been left. */
  readonly readAgain: number;
  /** A person, or the settings of the server. */
  readonly by: string;
}

/** Records what the same transaction replaced. */
export async function recordCorrection(
  transaction: Transaction,
  { chain, replaced, readAgain, by }: ChainCorrection,
): Promise<void> {
  await transaction.query({
    text: 'insert into chain_sum_correction (chain, wrong, read_again, by) values ($1, $2, $3, $4)',
    values: [chain, JSON.stringify(replaced), readAgain, by],
  });
}

/** The newest corrections, the newest first. */
export function chainCorrections(
  database: Database,
  most: number,
): Promise<(ChainCorrection & { readonly at: Date })[]> {
  return database.query<ChainCorrection & { readonly at: Date }>({
    text: `select chain, wrong as replaced, read_again as "readAgain", by, at from chain_sum_correction order by place desc limit $1`,
    values: [most],
  });
}

/** The parts of sums in which two counts differ. An absent sum is nothing. */
export function differencesOf(kept: readonly ChainSum[], counted: readonly ChainSum[]): ReplacedSum[] {
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
