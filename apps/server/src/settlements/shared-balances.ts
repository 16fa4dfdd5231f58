/**
 * Compares the wallets of a chain that all operators share with the books of all of them (SRV-1). Nobody can say whose coins a difference
 * is. So it is in no operator's list, and two people of the staff of the installation accept it.
 */
import { cashierName } from '@opencashier/contract/operator';
import { isOutOfDate } from '@opencashier/core/reconciliation/chain-balance';
import {
  isSameShared,
  sharedDifference,
  type Tolerance,
  toleranceOf,
} from '@opencashier/core/reconciliation/shared-balance';
import type { Database, Transaction } from '../database/database.ts';
import { type SharedReading, sharedBalances } from './shared-books.ts';

/** A reading, or what remained after an acceptance. In minor units. */
export interface SharedBalanceRow extends Tolerance {
  readonly chain: string;
  readonly currency: string;
  readonly found: bigint;
  readonly expected: bigint;
  readonly accepted: bigint;
  readonly difference: bigint;
  readonly lastHeight: bigint;
}

/** The last row of a coin. */
export interface LatestShared extends SharedBalanceRow {
  /** When the chain was read. Somebody may have accepted its difference since. */
  readonly readAt: Date;
  /** Nobody has compared the wallets in time since. */
  readonly isOutOfDate: boolean;
  /** When a server last watched the coin. */
  readonly watchedAt: Date;
  readonly unwatchedForMs: number;
}

const COLUMNS = `chain, currency, found, expected, accepted, difference, dust, rent, last_height as "lastHeight"`;

/** Keeps and judges a reading. */
export async function compareShared(database: Database, reading: SharedReading): Promise<void> {
  const balances = await sharedBalances(database, reading);
  await database.transaction(async (transaction) => {
    await lockChain(transaction, reading.chain);
    for (const balance of balances) {
      const { coin, found, expected, mayBeIn, mayBeOut, firstHeight, lastHeight } = balance;
      const last = await lastOf(transaction, reading.chain, coin);
      const accepted = last?.accepted ?? 0n;
      const isOwnCoin = reading.assets.some((asset) => asset.coin === coin && asset.contract === '');
      const before = last?.difference ?? 0n;
      const difference = sharedDifference({ found, expected, accepted, before, mayBeIn, mayBeOut, isOwnCoin });
      const { dust, rent } = toleranceOf(isOwnCoin);
      await transaction.query({
        name: 'shared-balance-keep',
        text: `insert into shared_balance (chain, currency, found, expected, accepted, difference, dust, rent, first_height, last_height)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        values: [reading.chain, coin, found, expected, accepted, difference, dust, rent, firstHeight, lastHeight],
      });
      await rejectOutdated(transaction, { chain: reading.chain, currency: coin, difference, dust, rent });
    }
  });
}

type JudgedReading = Pick<SharedBalanceRow, 'chain' | 'currency' | 'difference' | keyof Tolerance>;

/** Rejects a proposal to accept a difference that is another one by now, as a settlement rejects the booking of a cleared mismatch. */
async function rejectOutdated(
  transaction: Transaction,
  { chain, currency, difference, ...tolerance }: JudgedReading,
): Promise<void> {
  const waiting = await transaction.query<{ readonly id: string; readonly agreed: bigint }>({
    name: 'shared-acceptance-waiting',
    text: `select id, difference as agreed from shared_acceptance where chain = $1 and currency = $2 and state = 'proposed'`,
    values: [chain, currency],
  });
  const outdated = waiting.filter(({ agreed }) => !isSameShared(agreed, difference, tolerance));
  await transaction.query({
    name: 'shared-acceptance-outdated',
    text: `update shared_acceptance set state = 'rejected', decided_by = $2, decided_at = now() where id = any($1::uuid[])`,
    values: [outdated.map(({ id }) => id), cashierName],
  });
}

/** The last row of each coin. */
export async function latestShared(database: Database): Promise<LatestShared[]> {
  const rows = await database.query<
    SharedBalanceRow & { readonly readAt: Date; readonly watchedAt: Date; readonly now: Date }
  >({
    // A coin that nobody has watched since there are notes was last watched when it was read.
    text: `select last.*, reading.at as "readAt", coalesce(watched.watched_at, reading.at) as "watchedAt", now() as now
      from (select distinct on (chain, currency) ${COLUMNS} from shared_balance order by chain, currency, place desc) last
      cross join lateral (select at from shared_balance reading where reading.chain = last.chain and reading.currency = last.currency
        and acceptance_id is null order by place desc limit 1) reading
      left join crypto_coin watched on watched.chain = last.chain and watched.coin = last.currency`,
  });
  return rows.map(({ now, ...row }) => ({
    ...row,
    isOutOfDate: isOutOfDate(row.readAt, now),
    unwatchedForMs: now.getTime() - row.watchedAt.getTime(),
  }));
}

/** A coin of a shared wallet that servers watch, and that nobody has compared yet. */
export interface NeverCompared {
  readonly chain: string;
  readonly currency: string;
  readonly watchedSince: Date;
  /** Nothing was read, so nothing is missing yet. */
  readonly difference: 0n;
  /** It should have been compared by now. */
  readonly isOutOfDate: boolean;
  readonly unwatchedForMs: number;
}

/** Coins whose node never told a balance. */
export async function neverCompared(database: Database): Promise<NeverCompared[]> {
  const rows = await database.query<
    Pick<NeverCompared, 'chain' | 'currency' | 'watchedSince'> & { readonly watchedAt: Date; readonly now: Date }
  >({
    text: `select chain, coin as currency, since as "watchedSince", watched_at as "watchedAt", now() as now from crypto_coin
      where not exists (select 1 from shared_balance where shared_balance.chain = crypto_coin.chain and currency = coin)
      order by chain, coin`,
  });
  return rows.map(({ now, watchedAt, ...row }) => ({
    ...row,
    difference: 0n,
    isOutOfDate: isOutOfDate(row.watchedSince, now),
    unwatchedForMs: now.getTime() - watchedAt.getTime(),
  }));
}

/** Undefined: the coin was never read. */
export async function lastOf(
  transaction: Transaction,
  chain: string,
  currency: string,
): Promise<SharedBalanceRow | undefined> {
  const [row] = await transaction.query<SharedBalanceRow>({
    name: 'shared-balance-last',
    text: `select ${COLUMNS} from shared_balance where chain = $1 and currency = $2 order by place desc limit 1`,
    values: [chain, currency],
  });
  return row;
}

/** Readings, proposals and acceptances follow each other. */
export async function lockChain(transaction: Transaction, chain: string): Promise<void> {
  await transaction.query({
    text: `select pg_advisory_xact_lock(hashtext('shared balances ' || $1))`,
    values: [chain],
  });
}
