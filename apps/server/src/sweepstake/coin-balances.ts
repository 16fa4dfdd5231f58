/** A user's coin balances and unplayed sweep coins, from the ledger (SWP-2). */
import { type Coin, GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { DEFAULT_PLAYTHROUGH, redeemableOf, unplayedOf } from '@opencashier/core/sweepstake/playthrough';
import type { Queryable } from '../database/database.ts';
import { userBalance } from '../ledger/ledger.ts';

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
  const balance = await userBalance(queryable, operatorId, userId, coin);
  if (coin === GOLD_COIN) return { balance, unplayed: 0n, redeemable: 0n };
  const unplayed = await unplayedSweep(queryable, operatorId, userId);
  return { balance, unplayed, redeemable: redeemableOf(balance, unplayed) };
}

/** The format of `settings.sweepstake.playthrough`: how often a sweep coin must be staked before it can be redeemed. */
const factorForm = /^(?:0|[1-9]\d{0,3})(?:\.\d{1,4})?$/;

async function unplayedSweep(queryable: Queryable, operatorId: string, userId: string): Promise<bigint> {
  const [row] = await queryable.query<{ granted: bigint; played: bigint; factor: string | null }>({
    name: 'sweepstake-unplayed',
    text: `select coalesce(playthrough.granted, 0) as granted, coalesce(playthrough.played, 0) as played,
        operator.settings -> 'sweepstake' ->> 'playthrough' as factor
      from operator left join playthrough on playthrough.operator_id = operator.id and playthrough.user_id = $2
      where operator.id = $1`,
    values: [operatorId, userId],
  });
  if (row === undefined) return 0n;
  const factor = row.factor !== null && factorForm.test(row.factor) ? row.factor : DEFAULT_PLAYTHROUGH;
  return unplayedOf(row, factor);
}

/** Both coin balances of a user, in minor units. */
export async function coinBalances(
  queryable: Queryable,
  operatorId: string,
  userId: string,
): Promise<readonly (readonly [Coin, bigint])[]> {
  const gold = await userBalance(queryable, operatorId, userId, GOLD_COIN);
  return [
    [GOLD_COIN, gold],
    [SWEEP_COIN, await userBalance(queryable, operatorId, userId, SWEEP_COIN)],
  ];
}
