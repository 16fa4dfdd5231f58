/** The part of player funds that chains say is there, as of a time (SRV-2). */
import type { ChainBalanceView } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { isOutOfDate, type ReadCoins } from '@opencashier/core/reconciliation/chain-balance';
import type { Transaction } from '../database/database.ts';

/** A currency by its readings. */
export interface CoinFunds {
  /** One of each chain, and one without coins for what two people have booked of differences. */
  readonly readings: readonly ReadCoins[];
  /** When the oldest of them was read that is out of date. Absent: none is. */
  readonly notComparedSince?: string;
}

export interface ChainFunds {
  readonly byCurrency: ReadonlyMap<string, CoinFunds>;
  readonly chains: readonly ChainBalanceView[];
}

interface BalanceRow extends ReadCoins {
  readonly chain: string;
  readonly currency: string;
  readonly expected: bigint;
  readonly mayBeIn: bigint;
  readonly mayBeOut: bigint;
  readonly firstBlock: bigint;
  readonly lastBlock: bigint;
  readonly addresses: number;
  readonly at: Date;
}

/** The last reading of each chain and coin until `at`. */
export async function chainFunds(transaction: Transaction, operatorId: string, at: Date): Promise<ChainFunds> {
  const rows = await transaction.query<BalanceRow>({
    name: 'chain-funds',
    text: `select distinct on (chain, currency) chain, currency, found, expected, booked, may_be_in as "mayBeIn", may_be_out as "mayBeOut",
        in_progress as "inProgress", first_height as "firstBlock", last_height as "lastBlock", addresses, at
      from chain_balance where operator_id = $1 and at < $2::timestamptz + interval '1 ms'
      order by chain, currency, id desc`,
    values: [operatorId, at],
  });
  // What two people have booked of the differences of chains is no longer in the account of the provider.
  const booked = await transaction.query<{ currency: string; amount: bigint }>({
    name: 'chain-funds-booked',
    text: `select booking.currency, sum(booking.amount)::bigint as amount from settlement_booking booking
        join settlement_file file on file.operator_id = $1 and file.id = booking.file_id and file.source = 'chain'
      where booking.operator_id = $1 and booking.state = 'approved' and booking.decided_at < $2::timestamptz + interval '1 ms'
      group by 1`,
    values: [operatorId, at],
  });
  const byCurrency = new Map<string, CoinFunds>();
  for (const currency of new Set(rows.map((row) => row.currency))) {
    const own = rows.filter((row) => row.currency === currency);
    const ended = -(booked.find((one) => one.currency === currency)?.amount ?? 0n);
    const [oldest] = own.flatMap(({ at: readAt }) => sinceOf(readAt, at)).toSorted();
    byCurrency.set(currency, {
      readings: [{ found: 0n, booked: ended, inProgress: 0n }, ...own],
      ...(oldest !== undefined && { notComparedSince: oldest }),
    });
  }
  return { byCurrency, chains: rows.map((row) => viewOf(row, at)) };
}

/** The time of a reading that is out of date at `at`, as a list. */
const sinceOf = (readAt: Date, at: Date): string[] => (isOutOfDate(readAt, at) ? [readAt.toISOString()] : []);

function viewOf(
  { found, expected, mayBeIn, mayBeOut, booked: _booked, inProgress: _inProgress, ...row }: BalanceRow,
  at: Date,
): ChainBalanceView {
  const [notComparedSince] = sinceOf(row.at, at);
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(row.currency));
  return {
    chain: row.chain,
    currency: row.currency,
    found: written(found),
    expected: written(expected),
    mayBeIn: written(mayBeIn),
    mayBeOut: written(mayBeOut),
    firstBlock: Number(row.firstBlock),
    lastBlock: Number(row.lastBlock),
    addresses: row.addresses,
    read: row.at.toISOString(),
    ...(notComparedSince !== undefined && { notComparedSince }),
  };
}
