import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodListSchema } from '../payment-method.ts';
import { countrySchema, currencySchema } from '../scalar.ts';

/** The withdrawal catalogue of a chosen country (WD-1). */
export const methodsWithdrawal = defineCall({
  name: 'methods-withdrawal',
  method: 'GET',
  summary: 'Withdrawal methods and their groups for a country and a currency.',
  request: v.object({ country: countrySchema, currency: currencySchema }),
  response: methodListSchema,
  retry: true,
  skipsOddItems: true,
});
