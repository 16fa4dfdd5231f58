/** The sums of a chain as they were before any were kept: each query reads all payments. Tests compare the kept sums with them. */
import { type OutputInBalance, reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import { BALANCE_LAGS_S, FEE_SAID_WITHIN_S, payoutInBalance } from '@opencashier/core/reconciliation/payout-in-balance';
import type { Database, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import {
  ALL_OPERATORS,
  balanceOf,
  type CoinBalance,
  type LedgerSums,
  type RawRow,
  type RawSums,
  readRow,
} from './chain-books.ts';
import { statesThat } from './chain-sums.ts';
import { unitsOf } from './chain-units.ts';
import type { SharedReading } from './shared-books.ts';

/** The balances of one snapshot. */
export function coinBalancesInFull(database: Database, reading: ChainReading): Promise<CoinBalance[]> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local statement_timeout = 0' });
    const raw = [...(await addressSums(transaction, reading)), ...(await walletSums(transaction, reading))];
    const ledger = await ledgerSums(transaction, reading.chain);
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

/** The balances of one snapshot, of the deposits' wallet and the hot wallet together. Coins that were not read are left out. */
export function sharedBalancesInFull(database: Database, reading: SharedReading): Promise<CoinBalance[]> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local statement_timeout = 0' });
    const deposits = await depositSums(transaction, reading);
    const isOneWallet = reading.hotWallet === reading.sharedWallet;
    const payouts = (await walletSums(transaction, reading)).map((one) => (isOneWallet ? { ...one, found: 0n } : one));
    const ledger = await creditSums(transaction, reading);
    return reading.assets.flatMap((asset) => {
      const isIts = ({ contract }: { readonly contract: string }): boolean => contract === asset.contract;
      const sums = [...deposits, ...payouts].filter(isIts);
      const books = ledger.filter(isIts);
      return deposits.some(isIts) ? [balanceOf({ operatorId: ALL_OPERATORS, reading, asset, sums, books })] : [];
    });
  });
}

/** The reports of payments whose coins are this to a balance, as a list of SQL. */
const told = (meant: OutputInBalance): string =>
  `told in (${reportsThatAre(meant)
    .map((report) => `'${report}'`)
    .join(', ')})`;
const ARRIVES = told('arrives');
const CREDITED = told('credited');

/** Sums over rows of `output`, for the balance `known` of its place and the smallest unit of the `asset` in the ledger. */
const OUTPUT_SUMS = `
  coalesce(sum(output.raw) filter (where ${ARRIVES} and gone_at_height is null
    and output.height <= known.height), 0)
  - coalesce(sum(output.raw) filter (where ${CREDITED} and output.height > coalesce(known.last_height, -1)), 0) as unbooked,
  coalesce(sum(mod(output.raw, asset.unit)) filter (where ${CREDITED}), 0) as rests,
  coalesce(sum(output.raw) filter (where ${ARRIVES} and output.height > known.height
    and output.height <= known.last_height), 0) as may_be_in,
  coalesce(sum(output.raw) filter (where ${CREDITED} and output.height > known.height
    and output.height <= known.last_height), 0) as may_be_out`;

/**
 * The receiving addresses. `more` is what is in a block and not credited yet, and the parts of minor units that no credit has. What was
 * credited after its address was read is subtracted.
 */
async function addressSums(transaction: Transaction, { chain, assets }: ChainReading): Promise<RawSums[]> {
  const rows = await transaction.query<RawRow>({
    name: 'full-chain-address-sums',
    text: `with place as (select output.address, output.contract, known.raw, known.height, known.last_height,
          ${OUTPUT_SUMS}
        from crypto_output output
        join unnest($2::text[], $3::numeric[]) as asset(contract, unit) on asset.contract = output.contract
        left join crypto_balance known on known.chain = output.chain and known.address = output.address
          and known.contract = output.contract
        where output.chain = $1 and output.height is not null
        group by output.address, output.contract, known.raw, known.height, known.last_height)
      select deposit.operator_id as "operatorId", place.contract, coalesce(sum(place.raw), 0)::text as found, sum(unbooked + rests)::text as more,
        sum(unbooked)::text as unbooked,
        sum(may_be_in)::text as "mayBeIn", sum(may_be_out)::text as "mayBeOut",
        coalesce(min(place.height) filter (where place.raw > 0), 0) as "firstHeight", coalesce(max(place.last_height) filter (where place.raw > 0), 0) as "lastHeight",
        count(*) filter (where place.raw > 0)::int as addresses
      from place join crypto_address given on given.chain = $1 and given.address = place.address
      join deposit on deposit.id = given.deposit_id
      group by 1, 2`,
    values: [
      chain,
      assets.map(({ contract }) => contract),
      assets.map(({ decimals }) => String(unitsOf(decimals).down)),
    ],
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
async function walletSums(transaction: Transaction, reading: ChainReading): Promise<RawSums[]> {
  const { chain, hotWallet, owner, assets } = reading;
  if (hotWallet === undefined) return [];
  const rows = await transaction.query<RawRow>({
    name: 'full-chain-wallet-sums',
    text: `with owner as (select min(id) as id from operator where (partner_key = $4 or $4 is null) and not $5::boolean having count(*) = 1
          union all select '${ALL_OPERATORS}' where $5::boolean),
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
          from coin_payout payout where payout.chain = $1 and payout.wallet = $2)
      select owner.id as "operatorId", asset.contract, coalesce(known.raw, 0)::text as found,
        (-coalesce(sum(sent.raw) filter (where is_booked and sent.contract = asset.contract), 0)
          - coalesce(sum(sent.fee) filter (where has_cost and asset.contract = ''), 0))::text as more,
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
  return rows.map(readRow);
}

/** What the ledger has booked with the chain, in minor units. Network fees are in the chain's own coin. */
async function ledgerSums(transaction: Transaction, chain: string): Promise<LedgerSums[]> {
  return transaction.query<LedgerSums>({
    name: 'full-chain-ledger-sums',
    text: `select operator_id as "operatorId", contract, sum(credited)::bigint as credited, sum(paid_out)::bigint as "paidOut"
      from (select entry.operator_id, given.contract, entry.amount as credited, 0 as paid_out from settlement_entry entry
          join crypto_address given on given.chain = $1 and given.deposit_id = entry.deposit_id
          where entry.provider = 'crypto' and entry.deposit_id is not null
        union all
        select sent.operator_id, sent.contract, 0, booked.amount from coin_payout sent
          join payout booked on booked.operator_id = sent.operator_id and booked.withdrawal_id = sent.withdrawal_id
            and booked.state = 'paid'
          where sent.chain = $1
        union all
        select operator_id, '', 0, fee_minor from coin_payout where chain = $1 and fee_booked_at is not null) moved
      group by 1, 2`,
    values: [chain],
  });
}

/** The wallet of all deposits. Payments to a wallet that it had before are no part of it. */
async function depositSums(transaction: Transaction, reading: SharedReading): Promise<RawSums[]> {
  const { chain, sharedWallet, assets } = reading;
  const rows = await transaction.query<RawRow>({
    name: 'full-shared-deposit-sums',
    text: `select '${ALL_OPERATORS}' as "operatorId", asset.contract, known.raw::text as found, (unbooked + rests)::text as more,
        unbooked::text as unbooked, may_be_in::text as "mayBeIn", may_be_out::text as "mayBeOut", known.height as "firstHeight",
        known.last_height as "lastHeight", (known.raw > 0)::int as addresses
      from unnest($2::text[], $3::numeric[]) as asset(contract, unit)
      join crypto_balance known on known.chain = $1 and known.address = $4 and known.contract = asset.contract
      cross join lateral (select ${OUTPUT_SUMS}
        from crypto_output output where output.chain = $1 and output.contract = asset.contract and output.height is not null
          and split_part(output.address, '/', 1) = $4) sums`,
    values: [
      chain,
      assets.map(({ contract }) => contract),
      assets.map(({ decimals }) => String(unitsOf(decimals).down)),
      sharedWallet,
    ],
  });
  return rows.map(readRow);
}

/** What the ledgers of all operators have booked of payments to the wallet. Payouts are in the sums of the hot wallet. */
async function creditSums(transaction: Transaction, { chain, sharedWallet }: SharedReading): Promise<LedgerSums[]> {
  return transaction.query<LedgerSums>({
    name: 'full-shared-credit-sums',
    text: `select '${ALL_OPERATORS}' as "operatorId", given.contract, sum(entry.amount)::bigint as credited, 0::bigint as "paidOut"
      from settlement_entry entry
      join crypto_address given on given.chain = $1 and given.deposit_id = entry.deposit_id
        and split_part(given.address, '/', 1) = $2
      where entry.provider = 'crypto' and entry.deposit_id is not null
      group by 2`,
    values: [chain, sharedWallet],
  });
}
