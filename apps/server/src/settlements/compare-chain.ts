/**
 * Compares a reading of a chain with the ledger, for each operator with coins there (SRV-1, SRV-2). The reading becomes a file without
 * lines, so that its differences are mismatches as any other, and two people end them.
 */
import { cashierName } from '@opencashier/contract/operator';
import { type BalanceVerdict, judgeBalance, type OpenDifference } from '@opencashier/core/reconciliation/chain-balance';
import type { Database, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { rejectBookingsOf } from './bookings.ts';
import { type CoinBalance, coinBalances } from './chain-books.ts';
import { lockBooks } from './lock-books.ts';
import { compareShared } from './shared-balances.ts';

/** The name of the provider whose account the ledger keeps the coins of all chains in. */
const PROVIDER = 'crypto';

/** For an operator whose books are compared or closed. All other operators on the chain wait meanwhile. */
const LONGEST_WAIT = '5s';

/**
 * Keeps and judges the reading. Wallets that all operators share are in no operator's books. An operator whose comparison fails does not
 * stop the others.
 * @throws AggregateError afterwards
 */
export async function compareChain(database: Database, reading: ChainReading): Promise<void> {
  const { sharedWallet } = reading;
  if (sharedWallet !== undefined) return compareShared(database, { ...reading, sharedWallet });
  const balances = await coinBalances(database, reading);
  const failures: unknown[] = [];
  for (const operatorId of new Set(balances.map((one) => one.operatorId))) {
    const own = balances.filter((one) => one.operatorId === operatorId);
    try {
      await database.transaction((transaction) => compareOwn(transaction, operatorId, reading, own));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `The balances of ${reading.chain} could not be compared`);
}

async function compareOwn(
  transaction: Transaction,
  operatorId: string,
  reading: ChainReading,
  balances: readonly CoinBalance[],
): Promise<void> {
  await transaction.query({ text: `set local lock_timeout = '${LONGEST_WAIT}'` });
  await lockBooks(transaction, { operatorId });
  const judged: { readonly balance: CoinBalance; readonly verdict: BalanceVerdict }[] = [];
  for (const balance of balances) {
    const { ended, open } = await differencesOf(transaction, operatorId, reading.chain, balance.coin);
    const { found, mayBeIn, mayBeOut } = balance;
    const verdict = judgeBalance({ found, expected: balance.expected + ended, mayBeIn, mayBeOut, open });
    judged.push({ balance, verdict });
  }
  const agrees = judged.filter(({ verdict }) => verdict.raised === undefined).length;
  const fileId = await keepReading(transaction, operatorId, reading, balances, agrees);
  for (const { balance, verdict } of judged) {
    const inProgress = balance.unbooked + verdict.inProgress;
    const id = await keepBalance(transaction, { operatorId, chain: reading.chain, fileId, inProgress, balance });
    await keepVerdict(transaction, { operatorId, fileId, balanceId: id, balance }, verdict);
  }
}

/** The differences of earlier readings that two people have ended, and those that wait. */
async function differencesOf(
  transaction: Transaction,
  operatorId: string,
  chain: string,
  currency: string,
): Promise<{ readonly ended: bigint; readonly open: OpenDifference[] }> {
  const rows = await transaction.query<OpenDifference & { readonly state: string }>({
    name: 'chain-differences',
    text: `select mismatch.id, mismatch.state, found_there.difference from settlement_mismatch mismatch
      join chain_balance balance on balance.operator_id = $1 and balance.id = mismatch.entry_id
      cross join lateral (select (mismatch.found - mismatch.expected)::bigint as difference) found_there
      where mismatch.operator_id = $1 and mismatch.class = 'balance' and mismatch.state <> 'cleared'
        and balance.chain = $2 and balance.currency = $3
      order by mismatch.id`,
    values: [operatorId, chain, currency],
  });
  const ended = rows.filter(({ state }) => state === 'resolved').reduce((sum, row) => sum + row.difference, 0n);
  return { ended, open: rows.filter(({ state }) => state !== 'resolved') };
}

async function keepReading(
  transaction: Transaction,
  operatorId: string,
  { chain, height }: ChainReading,
  balances: readonly CoinBalance[],
  agrees: number,
): Promise<string> {
  const written = JSON.stringify([chain, height, ...balances], (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const [row] = await transaction.query<{ id: string }>({
    name: 'chain-reading-keep',
    // The time makes two equal readings two files.
    text: `insert into settlement_file (operator_id, provider, source, mapping, name, hash, state, first_day, last_day, matched, by, done_at)
      select $1, $2, 'chain', $3, $4, sha256(convert_to($5 || clock_timestamp()::text, 'UTF8')), 'done', today, today, $6, $7,
        clock_timestamp()
      from (select (now() at time zone 'UTC')::date as today) day returning id`,
    values: [operatorId, PROVIDER, chain, `${chain} at block ${height}`, written, agrees, cashierName],
  });
  if (row === undefined) throw new Error('A reading of a chain was not kept');
  return row.id;
}

async function keepBalance(
  transaction: Transaction,
  about: {
    readonly operatorId: string;
    readonly chain: string;
    readonly fileId: string;
    readonly inProgress: bigint;
    readonly balance: CoinBalance;
  },
): Promise<string> {
  const { operatorId, chain, fileId, inProgress, balance } = about;
  const [row] = await transaction.query<{ id: string }>({
    name: 'chain-balance-keep',
    text: `insert into chain_balance (operator_id, file_id, chain, currency, found, expected, booked, may_be_in, may_be_out, in_progress,
        first_height, last_height, addresses)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id`,
    values: [
      operatorId,
      fileId,
      chain,
      balance.coin,
      balance.found,
      balance.expected,
      balance.booked,
      balance.mayBeIn,
      balance.mayBeOut,
      inProgress,
      balance.firstHeight,
      balance.lastHeight,
      balance.addresses,
    ],
  });
  if (row === undefined) throw new Error('A balance of a chain was not kept');
  return row.id;
}

async function keepVerdict(
  transaction: Transaction,
  about: {
    readonly operatorId: string;
    readonly fileId: string;
    readonly balanceId: string;
    readonly balance: CoinBalance;
  },
  { cleared, raised }: BalanceVerdict,
): Promise<void> {
  const { operatorId, fileId, balanceId, balance } = about;
  if (cleared.length > 0) {
    await transaction.query({
      name: 'chain-differences-clear',
      text: `update settlement_mismatch set state = 'cleared', ended_at = now()
        where operator_id = $1 and id = any($2::uuid[]) and state in ('open', 'proposed')`,
      values: [operatorId, cleared],
    });
    await rejectBookingsOf(transaction, operatorId, cleared);
  }
  if (raised === undefined) return;
  await transaction.query({
    name: 'chain-difference-raise',
    text: `insert into settlement_mismatch (operator_id, file_id, class, provider, entry_kind, entry_id, currency, expected, found, day)
      values ($1, $2, 'balance', $3, 'balance', $4, $5, $6, $7, (now() at time zone 'UTC')::date)`,
    // Of what the chain has, this difference is new.
    values: [operatorId, fileId, PROVIDER, balanceId, balance.coin, balance.found - raised, balance.found],
  });
}
