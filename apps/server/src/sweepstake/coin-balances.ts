/** What a user has of the coins, and what of the sweep coins is still unplayed (SWP-2). The ledger's word. */
import { type Coin, GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { DEFAULT_PLAYTHROUGH, redeemableOf, unplayedOf } from '@opencashier/core/sweepstake/playthrough';
import type { Queryable } from '../database/database.ts';
import { userBalance } from '../ledger/ledger.ts';

export interface CoinState {
  /** Minor units. */
  readonly balance: bigint;
  readonly unplayed: bigint;
  readonly redeemable: bigint;
}

/** Gold is never redeemable, and so never has anything to be played first. */
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

/** What an operator writes in `settings.sweepstake.playthrough`: how often a sweep coin is played before it is redeemed. */
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

/** Both coins of a user, in minor units. */
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
