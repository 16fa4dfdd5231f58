import { withdrawalStatus } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** The truth about a withdrawal of this user. */
export const withdrawalStatusHandler = answer(withdrawalStatus, (request, { caller }, { withdrawals }) =>
  withdrawals.status(caller, request.withdrawalId),
);
