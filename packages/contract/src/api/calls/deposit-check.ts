import * as v from 'valibot';
import { defineCall } from '../call.ts';
import {
  countrySchema,
  currencySchema,
  decimalStringSchema,
  durationSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
} from '../scalar.ts';

/** Asks for an unfinished deposit of a method, so that the user continues it instead of paying twice. */
export const depositCheck = defineCall({
  name: 'deposit-check',
  method: 'POST',
  summary: 'The unfinished deposit of a method, if there is one.',
  request: v.object({ paymentMethod: methodNameSchema, selectedCountry: v.optional(countrySchema) }),
  response: v.object({
    exists: v.boolean(),
    depositId: v.optional(paymentIdSchema),
    amount: v.optional(decimalStringSchema),
    currency: v.optional(currencySchema),
    created: v.optional(instantSchema),
    lifetime: durationSchema,
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
