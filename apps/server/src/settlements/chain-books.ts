/** What a chain has of each operator's coins by the last reading, and what the ledger and the payouts say must be there. */
import { type OutputInBalance, reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import { BALANCE_LAGS_S, FEE_SAID_WITHIN_S, payoutInBalance } from '@opencashier/core/reconciliation/payout-in-balance';
import type { Database, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { addChanges, type ChainSum, keptSums, leaveSettled, statesThat } from './chain-sums.ts';
import { unitsOf } from './chain-units.ts';
import { countNewAssets } from './count-new-assets.ts';

/** For each query over the payments that changed, and over addresses with coins. */
const LONGEST_SUMS = '120s';

/** The operator's id in sums of all operators together. */
export const ALL_OPERATORS = '';

/** One coin of one operator on a chain, in minor units. */
export interface CoinBalance {
  readonly operatorId: string;
  readonly coin: string;
  readonly found: bigint;
  /** Without the differences that staff have ended. */
  readonly expected: bigint;
  /** What the operator's own payments, payouts and network fees left in the ledger. */
  readonly booked: bigint;
  /** What `expected` counts and the ledger has not booked; negative: what the ledger has booked and `expected` does not count. */
  readonly unbooked: bigint;
  readonly mayBeIn: bigint;
  readonly mayBeOut: bigint;
  readonly firstHeight: number;
  readonly lastHeight: number;
  readonly addresses: number;
}

/** Sums over addresses or over the hot wallet, in the asset's smallest unit on the chain. */
export interface RawSums {
  readonly operatorId: string;
  readonly contract: string;
  readonly found: bigint;
  /** What must be there besides the credits of the ledger; negative: less. */
  readonly more: bigint;
  /** The part of `more` that the ledger books later, or has booked before the chain shows it; negative: less. */
  readonly unbooked: bigint;
  readonly mayBeIn: bigint;
  readonly mayBeOut: bigint;
  readonly firstHeight: number;
  readonly lastHeight: number;
  readonly addresses: number;
}

export interface LedgerSums {
  readonly operatorId: string;
  readonly contract: string;
  readonly credited: bigint;
  readonly paidOut: bigint;
}

/** Adds up in one snapshot, by the kept sums as they are then. A process that did the same meanwhile makes it repeat. */
export async function inSnapshot<Found>(
  database: Database,
  reading: ChainReading,
  sums: (transaction: Transaction, kept: readonly ChainSum[]) => Promise<Found>,
): Promise<Found> {
  await countNewAssets(database, reading);
  await leaveSettled(database, reading);
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    await transaction.query({ text: `set local statement_timeout = '${LONGEST_SUMS}'` });
    await addChanges(transaction, reading.chain);
    return sums(transaction, await keptSums(transaction, reading.chain));
  });
}

/** The balances of one snapshot. */
export function coinBalances(database: Database, reading: ChainReading): Promise<CoinBalance[]> {
  return inSnapshot(database, reading, async (transaction, kept) => {
    const raw = [
      ...(await addressCoins(transaction, reading)),
      ...(await addressSums(transaction, reading)),
      ...kept.map((sum) => withoutCoins({ ...sum, more: sum.rests })),
      ...(await walletSums(transaction, reading, kept)),
    ];
    const ledger: readonly LedgerSums[] = kept;
    const operators = new Set([...raw, ...ledger].map(({ operatorId }) => operatorId));
    return [...operators].toSorted().flatMap((operatorId) =>
      reading.assets.flatMap((asset) => {
        const isOwn = (one: Pick<RawSums, 'operatorId' | 'contract'>): boolean =>
          one.operatorId === operatorId && one.contract === asset.contract;
        const sums = raw.filter(isOwn);
        const books = ledger.filter(isOwn);
        return sums.length === 0 && books.length === 0 ? [] : [balanceOf({ operatorId, reading, asset, sums, books })];
      }),
    );
  });
}

/** One coin by its sums on the chain and in the books. */
export function balanceOf(of: {
  readonly operatorId: string;
  readonly reading: ChainReading;
  readonly asset: ChainReading['assets'][number];
  readonly sums: readonly RawSums[];
  readonly books: readonly LedgerSums[];
}): CoinBalance {
  const { operatorId, reading, asset, sums, books } = of;
  const { up, down } = unitsOf(asset.decimals);
  const sum = (part: 'found' | 'more' | 'unbooked' | 'mayBeIn' | 'mayBeOut'): bigint =>
    sums.reduce((total, one) => total + one[part], 0n);
  const credited = books.reduce((total, one) => total + one.credited, 0n);
  const paidOut = books.reduce((total, one) => total + one.paidOut, 0n);
  const found = (sum('found') * up) / down;
  // Parts of a minor unit count in raw, because thousands of them would add up. The last part is rounded towards agreement.
  const difference = ((sum('found') - (credited * down) / up - sum('more')) * up) / down;
  const widened = (raw: bigint): bigint => (raw * up + down - 1n) / down;
  // 0: an address that was paid after its turn.
  const heights = sums.flatMap(({ firstHeight, lastHeight }) => [firstHeight, lastHeight]).filter((one) => one > 0);
  return {
    operatorId,
    coin: asset.coin,
    found,
    expected: found - difference,
    booked: credited - paidOut,
    unbooked: (sum('unbooked') * up) / down,
    mayBeIn: widened(sum('mayBeIn')),
    mayBeOut: widened(sum('mayBeOut')),
    firstHeight: Math.min(reading.height, ...heights),
    lastHeight: Math.max(reading.height, ...heights),
    addresses: sums.reduce((total, one) => total + one.addresses, 0),
  };
}

export type RawRow = { readonly [Part in keyof RawSums]: RawSums[Part] extends bigint ? string : RawSums[Part] };

export function readRow({ found, more, unbooked, mayBeIn, mayBeOut, ...row }: RawRow): RawSums {
  return {
    ...row,
    found: BigInt(found),
    more: BigInt(more),
    unbooked: BigInt(unbooked),
    mayBeIn: BigInt(mayBeIn),
    mayBeOut: BigInt(mayBeOut),
    firstHeight: Number(row.firstHeight),
    lastHeight: Number(row.lastHeight),
  };
}

/** The reports of payments whose coins are this to a balance, as a list of SQL. */
const told = (meant: OutputInBalance): string =>
  `told in (${reportsThatAre(meant)
    .map((report) => `'${report}'`)
    .join(', ')})`;
const ARRIVES = told('arrives');
const CREDITED = told('credited');

/** Sums over rows of `output` that may not be in the balance `known` of their place as the ledger has them. */
export const OUTPUT_SUMS = `
  coalesce(sum(output.raw) filter (where ${ARRIVES} and gone_at_height is null
    and output.height <= known.height), 0)
  - coalesce(sum(output.raw) filter (where ${CREDITED} and output.height > coalesce(known.last_height, -1)), 0) as unbooked,
  coalesce(sum(output.raw) filter (where ${ARRIVES} and output.height > known.height
    and output.height <= known.last_height), 0) as may_be_in,
  coalesce(sum(output.raw) filter (where ${CREDITED} and output.height > known.height
    and output.height <= known.last_height), 0) as may_be_out`;

/** Sums that have no balance of their own. */
export const withoutCoins = ({
  operatorId,
  contract,
  more,
}: Pick<RawSums, 'operatorId' | 'contract' | 'more'>): RawSums => ({
  operatorId,
  contract,
  more,
  found: 0n,
  unbooked: 0n,
  mayBeIn: 0n,
  mayBeOut: 0n,
  firstHeight: 0,
  lastHeight: 0,
  addresses: 0,
});

/** What is on the receiving addresses that have coins. A reading asks a node for each of them, so they are as many as it asks for. */
async function addressCoins(transaction: Transaction, { chain, assets }: ChainReading): Promise<RawSums[]> {
  const rows = await transaction.query<RawRow>({
    name: 'chain-address-coins',
    text: `select deposit.operator_id as "operatorId", known.contract, sum(known.raw)::text as found, '0' as more, '0' as unbooked,
        '0' as "mayBeIn", '0' as "mayBeOut", min(known.height) as "firstHeight", max(known.last_height) as "lastHeight",
        count(*)::int as addresses
      from crypto_balance known join crypto_address given on given.chain = known.chain and given.address = known.address
      join deposit on deposit.id = given.deposit_id
      where known.chain = $1 and known.raw > 0 and known.contract = any($2::text[])
        and exists (select 1 from crypto_output output where output.chain = known.chain and output.address = known.address
          and output.contract = known.contract and output.height is not null)
      group by 1, 2`,
    values: [chain, assets.map(({ contract }) => contract)],
  });
  return rows.map(readRow);
}

/**
 * The payments that are not in the kept sums alone. `more` is what is in a block and not credited yet. What was credited after its address
 * was read is subtracted.
 */
async function addressSums(transaction: Transaction, { chain, assets }: ChainReading): Promise<RawSums[]> {
  const rows = await transaction.query<RawRow>({
    name: 'chain-address-sums',
    text: `with place as (select output.address, output.contract, ${OUTPUT_SUMS}
        from crypto_output output
        left join crypto_balance known on known.chain = output.chain and known.address = output.address
          and known.contract = output.contract
        where output.chain = $1 and output.height is not null and not output.is_summed and output.contract = any($2::text[])
        group by output.address, output.contract, known.raw, known.height, known.last_height)
      select deposit.operator_id as "operatorId", place.contract, '0' as found, sum(unbooked)::text as more,
        sum(unbooked)::text as unbooked,
        sum(may_be_in)::text as "mayBeIn", sum(may_be_out)::text as "mayBeOut", 0 as "firstHeight", 0 as "lastHeight", 0 as addresses
      from place join crypto_address given on given.chain = $1 and given.address = place.address
      join deposit on deposit.id = given.deposit_id
      group by 1, 2`,
    values: [chain, assets.map(({ contract }) => contract)],
  });
  return rows.map(readRow);
}

const MAY_HAVE_LEFT = statesThat((state) => payoutInBalance(state, false) === 'may-have-left');
const HAS_COST = statesThat((state) => payoutInBalance(state, true) === 'has-cost');

/**
 * The hot wallet, for the operator who owns it, and for all operators together where all deposits share a wallet, too. `more` is what
 * confirmed payouts of all operators took, subtracted, with their network fees. Payouts on their way may have left it already, and so may a
 * fee that no node has said yet. It is asked for during a day.
 */
export async function walletSums(
  transaction: Transaction,
  reading: ChainReading,
  kept: readonly ChainSum[],
): Promise<RawSums[]> {
  const { chain, hotWallet, owner, assets } = reading;
  if (hotWallet === undefined) return [];
  const rows = await transaction.query<RawRow>({
    name: 'chain-wallet-sums',
    text: `with owner as (select min(id) as id from operator where (partner_key = $4 or $4 is null) and not $5::boolean having count(*) = 1
          union all select '${ALL_OPERATORS}' where $5::boolean),
        -- All others are in the kept sums alone, and the balance is younger than they are.
        late as (select payout.* from coin_payout payout where chain = $1 and wallet = $2 and reported_at is null
          union select payout.* from coin_payout payout where chain = $1 and wallet = $2 and fee_booked_at is null
            and state in ('confirmed', 'failed')
          union select payout.* from coin_payout payout where chain = $1 and wallet = $2
            and reported_at > (select min(read_at) from crypto_balance
              where chain = $1 and address = $2 and contract = any($3::text[])) - make_interval(secs => $9)),
        sent as (select payout.contract, payout.raw, coalesce(payout.fee, 0) as fee, payout.fee_booked_at, payout.reported_at,
          exists (select 1 from payout booked where booked.operator_id = payout.operator_id
            and booked.withdrawal_id = payout.withdrawal_id and booked.state = 'paid') as is_booked,
          payout.reported_at is null and payout.state = any($6::text[]) as is_under_way,
          payout.reported_at is not null and payout.state = any($7::text[]) as has_cost,
          payout.hash is not null and ((payout.state = 'failed' and payout.reported_at is null)
            or (payout.state = any($7::text[]) and payout.fee is null and payout.reported_at > now() - make_interval(secs => $8)))
            as may_cost,
          (select max(most_fee) from coin_transaction made where made.operator_id = payout.operator_id
            and made.withdrawal_id = payout.withdrawal_id) as most_fee
          from late payout)
      select owner.id as "operatorId", asset.contract, coalesce(known.raw, 0)::text as found, '0' as more,
        (-coalesce(sum(sent.fee) filter (where has_cost and fee_booked_at is null and asset.contract = ''), 0))::text as unbooked,
        coalesce(sum(case when asset.contract = sent.contract then sent.raw else 0 end + case when asset.contract = '' then sent.fee else 0 end)
          filter (where is_booked and coalesce(sent.reported_at > known.read_at - make_interval(secs => $9), true)), 0)::text as "mayBeIn",
        (coalesce(sum(sent.raw) filter (where is_under_way and not is_booked and sent.contract = asset.contract), 0)
          + coalesce(sum(sent.most_fee) filter (where (is_under_way or may_cost) and asset.contract = ''), 0))::text as "mayBeOut",
        coalesce(known.height, 0) as "firstHeight", coalesce(known.last_height, 0) as "lastHeight",
        (coalesce(known.raw, 0) > 0)::int as addresses
      from owner cross join unnest($3::text[]) as asset(contract)
      join crypto_balance known on known.chain = $1 and known.address = $2 and known.contract = asset.contract
      left join sent on true
      group by owner.id, asset.contract, known.raw, known.height, known.last_height`,
    values: [
      chain,
      hotWallet,
      assets.map(({ contract }) => contract),
      owner ?? null,
      reading.sharedWallet !== undefined,
      MAY_HAVE_LEFT,
      HAS_COST,
      FEE_SAID_WITHIN_S,
      BALANCE_LAGS_S,
    ],
  });
  return rows.map(readRow).map((row) => {
    const own = kept.filter(({ wallet, contract }) => wallet === hotWallet && contract === row.contract);
    return { ...row, more: own.reduce((total, { sent, cost }) => total - sent - cost, 0n) };
  });
}
