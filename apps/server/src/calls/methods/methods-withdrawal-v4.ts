import { methodsWithdrawalV4 } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { methodListOf } from './method-list.ts';

/** Withdrawal methods of the user's own country (WD-1). */
export const methodsWithdrawalV4Handler = answer(methodsWithdrawalV4, (request, scope, services) =>
  methodListOf('withdrawal', scope.caller.country, request.currency, scope, services),
);
