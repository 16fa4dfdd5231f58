import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../scalar.ts';

/** What an amount is worth in another currency, and what arrives of a withdrawal that pays another currency out (SWP-2, WD-2). */
export const paymentConvertV2 = defineCall({
  name: 'payment-convert-v2',
  method: 'POST',
  summary: 'Converts an amount at the current rate.',
  request: v.object({
    amount: decimalStringSchema,
    from: currencySchema,
    to: currencySchema,
    /** A withdrawal method: `amount` of the answer is then what arrives by it, once its fee is kept. */
    paymentMethod: v.optional(methodNameSchema),
  }),
  response: v.object({
    /** Rounded down to the minor unit of `to`. */
    amount: decimalStringSchema,
    /** What one unit of `from` is in `to`. */
    rate: v.optional(decimalStringSchema),
    /** What the named method keeps, in `from`. */
    fee: v.optional(decimalStringSchema),
    /** When the rate was true. */
    asOf: v.optional(instantSchema),
    /** The rate is old: shown and marked as such, but nothing can be created by it, so there is no `quote`. */
    isStale: v.optional(v.boolean()),
    /** Give it to `withdrawal-create`: until `expires` it is what arrives by this rate. Of sweep coins (SC), and where the named method pays another currency out. */
    quote: v.optional(v.string()),
    expires: v.optional(instantSchema),
  }),
  retry: true,
  idempotency: { kind: 'read' },
  /** `not-found`: there is no rate between the two. */
  errors: ['not-found', 'method-unavailable'],
});
