/** A user's coin balances and unplayed sweep coins, from the ledger (SWP-2). */
import { type Coin, GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { DEFAULT_PLAYTHROUGH, redeemableOf, unplayedOf } from '@opencashier/core/sweepstake/playthrough';
import type { Queryable } from '../database/database.ts';
import { userBalance, userBalances } from '../ledger/ledger.ts';

/** A user's balance of one coin, and the part of it that can be redeemed. */
export interface CoinState {
  /** Minor units. */
  readonly balance: bigint;
  readonly unplayed: bigint;
  readonly redeemable: bigint;
}

/** Gold coins can never be redeemed, so they have no unplayed part. */
export async function coinState(
  queryable: Queryable,
  operatorId: string,
  userId: string,
  coin: Coin,
): Promise<CoinState> {
  if (coin === SWEEP_COIN) return sweepState(queryable, operatorId, userId);
  return { balance: await userBalance(queryable, operatorId, userId, coin), unplayed: 0n, redeemable: 0n };
}

/** The format of `settings.sweepstake.playthrough`: how often a sweep coin must be staked before it can be redeemed. */
const factorForm = /^(?:0|[1-9]\d{0,3})(?:\.\d{1,4})?$/;

/** One statement. A grant between two would count as unplayed and not yet as balance, so less could be redeemed than was played. */
async function sweepState(queryable: Queryable, operatorId: string, userId: string): Promise<CoinState> {
  const [row] = await queryable.query<{ balance: bigint; granted: bigint; played: bigint; factor: string | null }>({
    name: 'sweepstake-state',
    text: `select coalesce(account.balance, 0) as balance, coalesce(playthrough.granted, 0) as granted,
        coalesce(playthrough.played, 0) as played, operator.settings -> 'sweepstake' ->> 'playthrough' as factor
      from operator left join playthrough on playthrough.operator_id = operator.id and playthrough.user_id = $2
        left join account on account.operator_id = operator.id and account.owner = $2 and account.asset = $3 and account.kind = 'user'
      where operator.id = $1`,
    values: [operatorId, userId, SWEEP_COIN],
  });
  if (row === undefined) return { balance: 0n, unplayed: 0n, redeemable: 0n };
  const factor = row.factor !== null && factorForm.test(row.factor) ? row.factor : DEFAULT_PLAYTHROUGH;
  const unplayed = unplayedOf(row, factor);
  return { balance: row.balance, unplayed, redeemable: redeemableOf(row.balance, unplayed) };
}

/** Both coin balances of a user, in minor units. */
export async function coinBalances(
  queryable: Queryable,
  operatorId: string,
  userId: string,
): Promise<readonly (readonly [Coin, bigint])[]> {
  const balances = await userBalances(queryable, operatorId, userId);
  return [
    [GOLD_COIN, balances.get(GOLD_COIN) ?? 0n],
    [SWEEP_COIN, balances.get(SWEEP_COIN) ?? 0n],
  ];
}
