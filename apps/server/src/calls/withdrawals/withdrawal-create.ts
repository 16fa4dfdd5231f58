import { withdrawalCreate } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Holds the amount, once per `withdrawalId` (WD-2). */
export const withdrawalCreateHandler = answer(withdrawalCreate, (request, { caller, context }, { withdrawals }) =>
  withdrawals.create({ caller, request, language: context.language }),
);
