/**
 * The sums over all payments and payouts of a chain (SRV-1). They are kept, and each comparison adds what changed since the one before. So
 * a comparison reads the payments of a day, however many came before them.
 */
import { CHAIN_PAYOUT_MOVES, type ChainPayoutState } from '@opencashier/core/chain-payout/chain-payout';
import { reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { unitsOf } from './chain-units.ts';

/** The states of payouts of which a rule says so, for SQL. */
export const statesThat = (isMeant: (state: ChainPayoutState) => boolean): string[] =>
  (Object.keys(CHAIN_PAYOUT_MOVES) as ChainPayoutState[]).filter(isMeant);

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
const ARRIVES = listed(reportsThatAre('arrives'));

/** An asset on a chain, and its smallest units in one minor unit of the ledger. */
export interface AssetUnit {
  readonly contract: string;
  readonly unit: string;
}

/** What all payments and payouts of an asset add up to, of one operator and one wallet. */
export interface ChainSum {
  readonly operatorId: string;
  /** The wallet that deposits share, or the hot wallet. '': addresses of one deposit each. */
  readonly wallet: string;
  readonly contract: string;
  readonly credited: bigint;
  readonly paidOut: bigint;
  readonly rests: bigint;
  readonly sent: bigint;
  readonly cost: bigint;
}

type SumRow = Omit<ChainSum, 'rests' | 'sent' | 'cost'> & Record<'rests' | 'sent' | 'cost', string>;

/** The assets of a reading. */
export function unitsOfReading({ assets }: ChainReading): AssetUnit[] {
  return assets.map(({ contract, decimals }) => ({ contract, unit: String(unitsOf(decimals).down) }));
}

/** Adds the changes to the sums of a chain, in the snapshot of the transaction. */
export async function addChanges(transaction: Transaction, chain: string): Promise<void> {
  await transaction.query({ name: 'chain-changes-add', text: 'select add_chain_changes($1)', values: [chain] });
}

/** Counts all payments of assets, and keeps the sums instead of those that were kept. */
export async function keepCounted(transaction: Transaction, chain: string, units: readonly AssetUnit[]): Promise<void> {
  await transaction.query({
    text: 'select count_chain($1, $2::text[], $3::numeric[])',
    values: countValues(chain, units),
  });
}

/** The sums over all payments of assets, as they would be counted now. */
export async function countSums(
  transaction: Transaction,
  chain: string,
  units: readonly AssetUnit[],
): Promise<ChainSum[]> {
  const rows = await transaction.query<SumRow>({
    text: `select operator_id as "operatorId", wallet, contract, credited, paid_out as "paidOut", rests::text, sent::text, cost::text
      from counted_sums($1, $2::text[], $3::numeric[]) order by 1, 2, 3`,
    values: countValues(chain, units),
  });
  return rows.map(readSum);
}

/** The kept sums, without later changes. */
export async function keptSums(transaction: Transaction, chain: string): Promise<ChainSum[]> {
  const rows = await transaction.query<SumRow>({
    name: 'chain-sums',
    text: `select operator_id as "operatorId", wallet, contract, credited, paid_out as "paidOut", rests::text, sent::text, cost::text
      from chain_sum where chain = $1 order by 1, 2, 3`,
    values: [chain],
  });
  return rows.map(readSum);
}

/** The kept sums with all changes that are noted. */
export async function sumsWithChanges(
  transaction: Transaction,
  chain: string,
  units: readonly AssetUnit[],
): Promise<ChainSum[]> {
  const rows = await transaction.query<SumRow>({
    text: `select operator_id as "operatorId", wallet, contract, sum(credited)::bigint as credited, sum(paid_out)::bigint as "paidOut",
        sum(rests)::text as rests, sum(sent)::text as sent, sum(cost)::text as cost
      from (select operator_id, wallet, contract, credited, paid_out, rests, sent, cost from chain_sum
          where chain = $1 and contract = any($2::text[])
        union all
        select operator_id, wallet, contract, credited, paid_out, mod(received, unit), sent, cost from chain_change
          join unnest($2::text[], $3::numeric[]) as asset(contract, unit) using (contract) where chain = $1) moved
      group by 1, 2, 3 order by 1, 2, 3`,
    values: countValues(chain, units),
  });
  return rows.map(readSum);
}

/** All assets whose payments were counted. */
export function countedAssets(queryable: Queryable): Promise<(AssetUnit & { readonly chain: string })[]> {
  return queryable.query({
    text: 'select chain, contract, unit::text as unit from chain_sum_point order by chain, contract',
  });
}

const readSum = ({ rests, sent, cost, ...row }: SumRow): ChainSum => ({
  ...row,
  rests: BigInt(rests),
  sent: BigInt(sent),
  cost: BigInt(cost),
});

const countValues = (chain: string, units: readonly AssetUnit[]): unknown[] => [
  chain,
  units.map(({ contract }) => contract),
  units.map(({ unit }) => unit),
];

/** Payments that are left to the sums together. So no payment and no watch waits long for one of them. */
const LEFT_TOGETHER = 5000;

/**
 * Payments that are settled, in no state of arriving, and not after the block of their balance: the sums alone count them from now on.
 * The watch never changes a settled payment. Triggers bring back one that changes anyhow, or whose balance is of an earlier block.
 */
export async function leaveSettled(database: Database, { chain, assets, sharedWallet }: ChainReading): Promise<void> {
  const contracts = assets.map(({ contract }) => contract);
  for (;;) {
    // A balance that a node answers meanwhile is skipped, or waits. So nobody leaves a payment by a balance that is no more.
    const [left] = await database.query<{ count: number }>({
      name: 'chain-outputs-leave',
      text: `with settled as (select output.chain, output.txid, output.address, output.contract
            from crypto_output output join crypto_balance known on known.chain = output.chain
              and known.address = coalesce($3, output.address) and known.contract = output.contract and output.height <= known.height
            where output.chain = $1 and output.contract = any($2::text[]) and not output.is_summed and output.is_settled
              and output.told not in (${ARRIVES}) and output.height is not null
              and ($3::text is null or split_part(output.address, '/', 1) = $3)
            limit ${LEFT_TOGETHER} for update of output skip locked for share of known skip locked),
          left_now as (update crypto_output output set is_summed = true from settled where output.chain = settled.chain
            and output.txid = settled.txid and output.address = settled.address and output.contract = settled.contract returning 1)
        select count(*)::int as count from left_now`,
      values: [chain, contracts, sharedWallet ?? null],
    });
    if ((left?.count ?? 0) < LEFT_TOGETHER) return;
  }
}

/** Payments that the sums alone count, and that may not agree with their balance: somebody changed them past the triggers. */
const LEFT_WRONGLY = `output.chain = $1 and output.is_summed and not (output.is_settled and output.told not in (${ARRIVES})
  and output.height is not null and exists (select 1 from crypto_balance known where known.chain = output.chain
    and known.contract = output.contract and known.address in (output.address, split_part(output.address, '/', 1))
    and known.height >= output.height))`;

/** How many payments of a chain the sums alone count although they may not. @param isCorrected comparisons read them again from now on */
export async function leftWrongly(transaction: Transaction, chain: string, isCorrected: boolean): Promise<number> {
  const [found] = await transaction.query<{ count: number }>({
    text: isCorrected
      ? `with again as (update crypto_output output set is_summed = false where ${LEFT_WRONGLY} returning 1)
          select count(*)::int as count from again`
      : `select count(*)::int as count from crypto_output output where ${LEFT_WRONGLY}`,
    values: [chain],
  });
  return found?.count ?? 0;
}
