import { sweepstakeBalanceGet } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { coinBalances } from '../../sweepstake/coin-balances.ts';
import { answer } from '../handler/call.ts';

/** What the ledger has of the user's coins (SWP-2). */
export const sweepstakeBalanceGetHandler = answer(sweepstakeBalanceGet, async (_request, { caller }, { database }) => {
  const balances = await coinBalances(database, caller.operatorId, caller.userId);
  return balances.map(([currency, minor]) => ({ currency, balance: toDecimalString(minor, decimalsOf(currency)) }));
});
