import { methodsPaymentV5 } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { boxMethodsOf } from './box-methods.ts';
import { methodListOf } from './method-list.ts';

/** Deposit methods in their groups (LIST-1, LIST-2). */
export const methodsPaymentV5Handler = answer(methodsPaymentV5, (request, scope, services) =>
  request.boxId === undefined
    ? methodListOf('deposit', request.country, request.currency, scope, services)
    : boxMethodsOf(request.boxId, request.country, request.currency, scope, services),
);
