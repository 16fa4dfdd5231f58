/** The calls that list methods, and the countries in which there are methods. */
import {
  methodsCountrySelectorV2,
  methodsPaymentV3,
  methodsPaymentV5,
  methodsWithdrawal,
  methodsWithdrawalV4,
} from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { boxMethodsOf } from './box-methods.ts';
import { flattened, methodListOf } from './method-list.ts';

/** Deposit methods in their groups (LIST-1, LIST-2). */
export const methodsPaymentV5Handler = answer(methodsPaymentV5, (request, scope, services) =>
  request.boxId === undefined
    ? methodListOf('deposit', request.country, request.currency, scope, services)
    : boxMethodsOf(request.boxId, request.country, request.currency, scope, services),
);

/** Deposit methods in one flat group. */
export const methodsPaymentV3Handler = answer(methodsPaymentV3, async (request, scope, services) =>
  flattened(
    await (request.boxId === undefined
      ? methodListOf('deposit', request.country, request.currency, scope, services)
      : boxMethodsOf(request.boxId, request.country, request.currency, scope, services)),
    scope.context.language,
  ),
);

/** Withdrawal methods of the user's own country (WD-1). */
export const methodsWithdrawalV4Handler = answer(methodsWithdrawalV4, (request, scope, services) =>
  methodListOf('withdrawal', scope.caller.country, request.currency, scope, services),
);

/** Withdrawal methods of a chosen country (WD-1). */
export const methodsWithdrawalHandler = answer(methodsWithdrawal, (request, scope, services) =>
  methodListOf('withdrawal', request.country, request.currency, scope, services),
);

/** Countries in which the operator offers methods (LIST-3). */
export const methodsCountrySelectorV2Handler = answer(
  methodsCountrySelectorV2,
  async (_request, { caller }, { catalogue }) => ({
    countries: catalogue
      .countries(caller.operatorId)
      .map(({ code, name, currencies }) => ({ code, name, currencies: [...currencies] })),
  }),
);
