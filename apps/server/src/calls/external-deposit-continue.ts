import { externalDepositContinue } from '@opencashier/contract/api';
import { answer } from './call.ts';

/** Goes on with an on-ramp at the chosen offer: where to, or why not (DEP-14). */
export const externalDepositContinueHandler = answer(externalDepositContinue, (request, { caller }, { payments }) =>
  payments.continueDeposit(caller, request.depositId, request.method),
);
