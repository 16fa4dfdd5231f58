/**
 * The sums over all payments and payouts of a chain (SRV-1). They are kept, and each comparison adds what changed since the one before. So
 * a comparison reads the payments of a day, however many came before them.
 */
import { CHAIN_PAYOUT_MOVES, type ChainPayoutState } from '@opencashier/core/chain-payout/chain-payout';
import { reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import { payoutInBalance } from '@opencashier/core/reconciliation/payout-in-balance';
import type { Queryable, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { unitsOf } from './chain-units.ts';

/** Once for each asset of a chain, over all payments. */
const LONGEST_COUNT = '30min';

/** The states of payouts of which a rule says so, for SQL. */
export const statesThat = (isMeant: (state: ChainPayoutState) => boolean): string[] =>
  (Object.keys(CHAIN_PAYOUT_MOVES) as ChainPayoutState[]).filter(isMeant);

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
const CREDITED = `output.told in (${listed(reportsThatAre('credited'))})`;
const COSTS = `reported_at is not null and state in (${listed(statesThat((state) => payoutInBalance(state, true) === 'has-cost'))})`;

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

/**
 * Brings the kept sums up to date, in the snapshot of the transaction. A change and what it changes are written by one transaction, so a
 * snapshot has both or none. An asset without sums is counted once, over all its payments.
 * @throws a serialisation failure if another process does the same meanwhile; the transaction may be repeated
 */
export async function updateSums(transaction: Transaction, reading: ChainReading): Promise<void> {
  const { chain } = reading;
  const units = unitsOfReading(reading);
  await transaction.query({ text: `set local statement_timeout = '${LONGEST_COUNT}'` });
  const known = await transaction.query<AssetUnit>({
    name: 'chain-sum-points',
    text: 'select contract, unit::text as unit from chain_sum_point where chain = $1',
    values: [chain],
  });
  const isKnown = ({ contract, unit }: AssetUnit): boolean =>
    known.some((point) => point.contract === contract && point.unit === unit);
  await keepCounted(
    transaction,
    chain,
    units.filter((asset) => !isKnown(asset)),
  );
  await addChanges(transaction, chain, units);
  await leaveSettled(transaction, reading);
}

/** Counts all payments of assets, and keeps the sums instead of those that were kept. */
export async function keepCounted(transaction: Transaction, chain: string, units: readonly AssetUnit[]): Promise<void> {
  if (units.length === 0) return;
  const contracts = units.map(({ contract }) => contract);
  for (const table of ['chain_change', 'chain_sum']) {
    await transaction.query({
      text: `delete from ${table} where chain = $1 and contract = any($2::text[])`,
      values: [chain, contracts],
    });
  }
  await transaction.query({
    text: `insert into chain_sum (chain, operator_id, wallet, contract, credited, paid_out, rests, sent, cost) select $1, counted.* from (${COUNTED}) counted`,
    values: countValues(chain, units),
  });
  await transaction.query({
    text: `insert into chain_sum_point (chain, contract, unit) select $1, contract, unit from unnest($2::text[], $3::numeric[]) asset(contract, unit)
      on conflict (chain, contract) do update set unit = excluded.unit, counted_at = now()`,
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
      from (${COUNTED}) counted order by 1, 2, 3`,
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

/** The same sums as the changes that triggers note (`schema/chain-sums.sql`), over all rows. Each operator that was paid has a row. */
const COUNTED = `select operator_id, wallet, contract, sum(credited)::bigint as credited, sum(paid_out)::bigint as paid_out,
    sum(rests) as rests, sum(sent) as sent, sum(cost) as cost
  from (select entry.operator_id, deposit_wallet(given.address, given.index) as wallet, given.contract, entry.amount as credited, 0 as paid_out,
        0::numeric as rests, 0::numeric as sent, 0::numeric as cost
      from settlement_entry entry join crypto_address given on given.chain = $1 and given.deposit_id = entry.deposit_id
      where entry.provider = 'crypto' and entry.deposit_id is not null
    union all
    select deposit.operator_id, deposit_wallet(given.address, given.index), output.contract, 0, 0,
        case when ${CREDITED} then mod(output.raw, asset.unit) else 0 end, 0, 0
      from crypto_output output join unnest($2::text[], $3::numeric[]) as asset(contract, unit) on asset.contract = output.contract
      join crypto_address given on given.chain = output.chain and given.address = output.address
      join deposit on deposit.id = given.deposit_id
      where output.chain = $1 and output.height is not null
    union all
    select sent.operator_id, sent.wallet, sent.contract, 0, booked.amount, 0, sent.raw, 0 from coin_payout sent
      join payout booked on booked.operator_id = sent.operator_id and booked.withdrawal_id = sent.withdrawal_id and booked.state = 'paid'
      where sent.chain = $1
    union all
    select operator_id, wallet, '', 0, coalesce(fee_minor, 0), 0, 0, case when ${COSTS} then coalesce(fee, 0) else 0 end
      from coin_payout where chain = $1 and (fee_minor is not null or (${COSTS}))) moved
  where contract = any($2::text[])
  group by 1, 2, 3`;

/** Adds what changed. Changes that others commit meanwhile are not in the snapshot and stay. */
async function addChanges(transaction: Transaction, chain: string, units: readonly AssetUnit[]): Promise<void> {
  await transaction.query({
    name: 'chain-changes-add',
    text: `with added as (delete from chain_change change using unnest($2::text[], $3::numeric[]) as asset(contract, unit)
          where change.chain = $1 and change.contract = asset.contract returning change.*, asset.unit)
      insert into chain_sum (operator_id, chain, wallet, contract, credited, paid_out, rests, sent, cost)
        select operator_id, chain, wallet, contract, sum(credited), sum(paid_out), sum(mod(received, unit)), sum(sent), sum(cost)
          from added group by 1, 2, 3, 4
        on conflict (operator_id, chain, wallet, contract) do update set credited = chain_sum.credited + excluded.credited,
          paid_out = chain_sum.paid_out + excluded.paid_out, rests = chain_sum.rests + excluded.rests,
          sent = chain_sum.sent + excluded.sent, cost = chain_sum.cost + excluded.cost`,
    values: countValues(chain, units),
  });
}

/**
 * Payments that are settled, in no state of arriving, and not after the block of their balance: the sums alone count them from now on.
 * The watch never changes a settled payment. Triggers bring back one that changes anyhow, or whose balance is of an earlier block.
 */
async function leaveSettled(transaction: Transaction, { chain, assets, sharedWallet }: ChainReading): Promise<void> {
  await transaction.query({
    name: 'chain-outputs-leave',
    text: `update crypto_output output set is_summed = true from crypto_balance known
      where output.chain = $1 and output.contract = any($2::text[]) and not output.is_summed and output.is_settled
        and output.told not in (${listed(reportsThatAre('arrives'))}) and output.height is not null
        and known.chain = $1 and known.address = coalesce($3, output.address) and known.contract = output.contract
        and output.height <= known.height and ($3::text is null or split_part(output.address, '/', 1) = $3)`,
    values: [chain, assets.map(({ contract }) => contract), sharedWallet ?? null],
  });
}
