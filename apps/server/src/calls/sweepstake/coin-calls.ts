/** The calls about the coins that a user has. */
import { sweepstakeBalanceGet, sweepstakeRecoupSum } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { coinOf } from '@opencashier/core/sweepstake/coins';
import { DomainError } from '../../errors/domain-error.ts';
import { coinBalances, coinState } from '../../sweepstake/coin-balances.ts';
import { answer } from '../handler/call.ts';

/** How much must still be played through, and how much can be redeemed now (SWP-2). */
export const sweepstakeRecoupSumHandler = answer(
  sweepstakeRecoupSum,
  async ({ currency }, { caller }, { database }) => {
    const coin = coinOf(currency);
    if (coin === undefined) {
      const fields = [{ path: 'currency', message: 'Give a sweepstake coin: GC or SC.' }];
      throw new DomainError('invalid-request', 'Only sweepstake coins have an unplayed part.', { fields });
    }
    const { unplayed, redeemable } = await coinState(database, caller.operatorId, caller.userId, coin);
    const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(coin));
    const status = unplayed > 0n ? 'unplayed' : 'played';
    return { data: { status, amount: write(unplayed), redeemable: write(redeemable) } };
  },
);

/** The user's coin balances in the ledger (SWP-2). */
export const sweepstakeBalanceGetHandler = answer(sweepstakeBalanceGet, async (_request, { caller }, { database }) => {
  const balances = await coinBalances(database, caller.operatorId, caller.userId);
  return balances.map(([currency, minor]) => ({ currency, balance: toDecimalString(minor, decimalsOf(currency)) }));
});
