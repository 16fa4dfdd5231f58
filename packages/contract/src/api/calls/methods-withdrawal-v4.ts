import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodListSchema } from '../payment-method.ts';
import { currencySchema } from '../scalar.ts';

/** The withdrawal catalogue of the user's own country (WD-1). */
export const methodsWithdrawalV4 = defineCall({
  name: 'methods-withdrawal-v4',
  method: 'GET',
  summary: 'Withdrawal methods and their groups for a currency.',
  request: v.object({ currency: currencySchema }),
  response: methodListSchema,
  retry: true,
  skipsOddItems: true,
});
