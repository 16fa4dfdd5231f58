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
    /** Whether there is an unfinished deposit. The other fields are about it. */
    exists: v.boolean(),
    depositId: v.optional(paymentIdSchema),
    /** The amount of the deposit. */
    amount: v.optional(decimalStringSchema),
    /** The currency of the amount. */
    currency: v.optional(currencySchema),
    /** When the deposit was created. */
    created: v.optional(instantSchema),
    /** Seconds from `created` until the provider stops accepting the payment. @example 600 */
    lifetime: durationSchema,
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
