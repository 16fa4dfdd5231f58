import { methodsPaymentV3 } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { boxMethodsOf } from './box-methods.ts';
import { flattened, methodListOf } from './method-list.ts';

/** Deposit methods in one flat group. */
export const methodsPaymentV3Handler = answer(methodsPaymentV3, async (request, scope, services) =>
  flattened(
    await (request.boxId === undefined
      ? methodListOf('deposit', request.country, request.currency, scope, services)
      : boxMethodsOf(request.boxId, request.country, request.currency, scope, services)),
  ),
);
