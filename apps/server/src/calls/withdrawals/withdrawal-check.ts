import { withdrawalCheck } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** What this user has begun to withdraw and not confirmed (WD-2). */
export const withdrawalCheckHandler = answer(withdrawalCheck, async (request, { caller }, { withdrawals }) => {
  const withdrawal = await withdrawals.unconfirmed(caller, request.currency);
  return withdrawal ? { withdrawal } : {};
});
