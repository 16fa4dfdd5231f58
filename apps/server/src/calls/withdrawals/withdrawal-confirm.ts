import { withdrawalConfirm } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Submits what is held (WD-2), with the code where one is wanted. */
export const withdrawalConfirmHandler = answer(withdrawalConfirm, async (request, { caller }, { withdrawals }) => {
  const { withdrawalId, status } = await withdrawals.confirm(caller, request.withdrawalId, request.code);
  return { withdrawalId, status };
});
