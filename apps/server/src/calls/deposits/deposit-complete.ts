import { depositComplete } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** "I have paid": asks the provider to look; credits nothing by itself. */
export const depositCompleteHandler = answer(depositComplete, (request, { caller }, { payments }) =>
  payments.completeDeposit(caller, request.depositId, request),
);
