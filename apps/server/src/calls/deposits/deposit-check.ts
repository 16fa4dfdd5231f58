import { depositCheck } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** The unfinished deposit of a method, so that the person goes on with it instead of paying twice. */
export const depositCheckHandler = answer(depositCheck, async (request, { caller }, { payments }) => {
  const open = await payments.openDeposit(caller, request.paymentMethod);
  if (!open) return { exists: false };
  const { depositId, amount, currency, created, lifetime } = open;
  return { exists: true, depositId, amount, currency, created, ...(lifetime !== undefined && { lifetime }) };
});
