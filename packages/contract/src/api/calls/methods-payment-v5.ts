import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodListSchema } from '../payment-method.ts';
import { boxIdSchema, countrySchema, currencySchema } from '../scalar.ts';

/** The deposit catalogue: groups and methods for a country and a currency (LIST-1). */
export const methodsPaymentV5 = defineCall({
  name: 'methods-payment-v5',
  method: 'POST',
  summary: 'Deposit methods and their groups for a country and a currency.',
  request: v.object({
    country: countrySchema,
    currency: currencySchema,
    /** The test group of the user, for the operator's statistics. @example "b" */
    abTestGroup: v.optional(v.string()),
    /** Only methods that can buy this coin box at its current price (SWP-1). */
    boxId: v.optional(boxIdSchema),
  }),
  response: methodListSchema,
  retry: true,
  skipsOddItems: true,
  idempotency: { kind: 'read' },
});
