import { withdrawalConfirm } from '@opencashier/contract/api';
import { answer } from './call.ts';

/** Submits what is held (WD-2). No method asks for a code yet, so none is looked at. */
export const withdrawalConfirmHandler = answer(withdrawalConfirm, async (request, { caller }, { withdrawals }) => {
  const { withdrawalId, status } = await withdrawals.confirm(caller, request.withdrawalId);
  return { withdrawalId, status };
});
