import { depositCancel } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Cancels what nobody has paid; a cancel before its create leaves a mark that refuses the create (DEP-11). */
export const depositCancelHandler = answer(depositCancel, async (request, { caller }, { payments }) => {
  const { depositId, ifUnknown } = request;
  return { depositId, ...(await payments.cancelDeposit(caller, depositId, { ifUnknown: ifUnknown === true })) };
});
