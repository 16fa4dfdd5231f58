import { withdrawalCancel } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Gives the held amount back while it was not submitted (WD-2). */
export const withdrawalCancelHandler = answer(withdrawalCancel, (request, { caller }, { withdrawals }) =>
  withdrawals.cancel(caller, request.withdrawalId, { ifUnknown: request.ifUnknown === true }),
);
