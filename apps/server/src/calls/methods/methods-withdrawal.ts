import { methodsWithdrawal } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { methodListOf } from './method-list.ts';

/** Withdrawal methods of a chosen country (WD-1). */
export const methodsWithdrawalHandler = answer(methodsWithdrawal, (request, scope, services) =>
  methodListOf('withdrawal', request.country, request.currency, scope, services),
);
