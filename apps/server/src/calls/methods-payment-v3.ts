import { methodsPaymentV3 } from '@opencashier/contract/api';
import { answer } from './call.ts';
import { flattened, methodListOf } from './method-list.ts';

/** Deposit methods in one flat group. */
export const methodsPaymentV3Handler = answer(methodsPaymentV3, async (request, scope, services) =>
  flattened(await methodListOf('deposit', request.country, request.currency, scope, services)),
);
