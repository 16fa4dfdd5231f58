/** The statement of player funds: what is owed to users, and where the money is, by currency and as of a time (SRV-2). */
import type { PlayerFunds } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { movedSinceRead } from '@opencashier/core/reconciliation/chain-balance';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type CoinFunds, chainFunds } from './chain-funds.ts';

interface Sum {
  readonly currency: string;
  readonly owed: bigint;
  readonly inReview: bigint;
  readonly bank: bigint;
  readonly inTransit: bigint;
}

const NOTHING: Omit<Sum, 'currency'> = { owed: 0n, inReview: 0n, bank: 0n, inTransit: 0n };

/**
 * Reads one snapshot, so that a booking is in all sums or in none. Balances of users are taken back to the time by the postings since then,
 * so a recent time is cheap.
 * @param at absent: now
 * @throws DomainError state-conflict for a time that the database cannot answer
 */
export function playerFunds(database: Database, operatorId: string, at?: string): Promise<PlayerFunds> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read, read only' });
    // Before the first query, which takes the snapshot. Else a month that leaves meanwhile would be gone, and not be known to have left.
    await transaction.query({ text: 'lock table posting in access share mode' });
    const [time] = await transaction.query<{ at: Date; isFuture: boolean; isArchived: boolean }>({
      text: `select at, at > now() as "isFuture",
          at < coalesce((select max(until) from archived_month where operator_id = $1), '-infinity') as "isArchived"
        from (select coalesce($2::timestamptz, now()) as at) asked`,
      values: [operatorId, at ?? null],
    });
    if (time === undefined || time.isFuture) throw new DomainError('state-conflict', 'The time is in the future.');
    if (time.isArchived) {
      throw new DomainError(
        'state-conflict',
        'The postings of that time have left the database. Ask for a later time.',
      );
    }
    // The whole millisecond counts, as ids of journals begin with it.
    const sums = await transaction.query<Sum>({
      text: `with later as (select account_id, sum(amount) as amount from posting
          where operator_id = $1 and journal_id >= time_id_at($2::timestamptz + interval '1 ms') group by account_id),
        held as (select account.asset, account.kind, coalesce(account.balance, booked.sum) - coalesce(later.amount, 0) as amount
          from account left join later on later.account_id = account.id
          cross join lateral (select case when account.balance is null then
              (select coalesce(sum(amount), 0) from posting where posting.operator_id = $1 and posting.account_id = account.id)
              + (select coalesce(sum(sum), 0) from archived_balance
                where archived_balance.operator_id = $1 and archived_balance.account_id = account.id) end as sum) booked
          where account.operator_id = $1
            and account.kind in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'suspense', 'settlement_account',
              'provider_clearing'))
        select asset as currency,
          coalesce(sum(amount) filter (where kind in ('user', 'user_additional', 'user_hold', 'wallet_transit')), 0)::bigint as owed,
          coalesce(sum(amount) filter (where kind = 'suspense'), 0)::bigint as "inReview",
          coalesce(-sum(amount) filter (where kind = 'settlement_account'), 0)::bigint as bank,
          coalesce(-sum(amount) filter (where kind = 'provider_clearing'), 0)::bigint as "inTransit"
        from held group by asset`,
      values: [operatorId, time.at],
    });
    const { byCurrency, chains } = await chainFunds(transaction, operatorId, time.at);
    // A chain may have coins of which the ledger has booked none yet, as in a hot wallet before its first payout.
    const withoutAccount = [...byCurrency.keys()].filter((coin) => sums.every(({ currency }) => currency !== coin));
    const currencies = [...sums, ...withoutAccount.map((currency) => ({ currency, ...NOTHING }))]
      .filter(isMoney)
      .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
      .map((sum) => viewOf(sum, byCurrency.get(sum.currency)));
    return { at: time.at.toISOString(), currencies, chains: [...chains] };
  });
}

/** Coins that are only played with are no money. */
function isMoney({ currency }: Sum): boolean {
  const kind = findCurrency(currency)?.kind;
  return kind === 'fiat' || kind === 'crypto';
}

/** What a chain was asked for is not in transit: the chain says how much of it is there. */
function viewOf({ currency, owed, inReview, ...sum }: Sum, coins?: CoinFunds): PlayerFunds['currencies'][number] {
  const { readings = [], notComparedSince } = coins ?? {};
  const onChain = coins && readings.reduce((total, { found }) => total + found, 0n);
  const bank = sum.bank + (onChain ?? 0n);
  const inTransit = movedSinceRead(sum.inTransit, readings);
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  return {
    currency,
    owedToUsers: written(owed),
    inReview: written(inReview),
    bank: written(bank),
    ...(onChain !== undefined && { onChain: written(onChain) }),
    ...(notComparedSince !== undefined && { notComparedSince }),
    inTransit: written(inTransit),
    surplus: written(bank + inTransit - owed - inReview),
  };
}
