import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodListSchema } from '../payment-method.ts';
import { boxIdSchema, countrySchema, currencySchema } from '../scalar.ts';

/** The deposit catalogue without groups, for hosts that ask for a flat list: every method stands in one group. */
export const methodsPaymentV3 = defineCall({
  name: 'methods-payment-v3',
  method: 'POST',
  summary: 'Deposit methods for a country and a currency, in one flat group.',
  request: v.object({
    country: countrySchema,
    currency: currencySchema,
    abTestGroup: v.optional(v.string()),
    /** Only methods by which this coin box can be bought, by its price now (SWP-1). */
    boxId: v.optional(boxIdSchema),
  }),
  response: methodListSchema,
  retry: true,
  skipsOddItems: true,
  idempotency: { kind: 'read' },
});
