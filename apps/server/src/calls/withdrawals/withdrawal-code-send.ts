import { withdrawalCodeSend } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Another confirmation code, while it is wanted (WD-2). */
export const withdrawalCodeSendHandler = answer(withdrawalCodeSend, (request, { caller }, { withdrawals }) =>
  withdrawals.sendCode(caller, request.withdrawalId),
);
