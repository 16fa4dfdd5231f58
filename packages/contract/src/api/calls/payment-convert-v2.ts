import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../scalar.ts';

/** The value of an amount in another currency, and the payout of a withdrawal in another currency (SWP-2, WD-2). */
export const paymentConvertV2 = defineCall({
  name: 'payment-convert-v2',
  method: 'POST',
  summary: 'Converts an amount at the current rate.',
  request: v.object({
    /** The amount to convert, in `from`. */
    amount: decimalStringSchema,
    /** The currency of the amount. */
    from: currencySchema,
    /** The currency to convert to. @example "USD" */
    to: currencySchema,
    /** A withdrawal method. The response's `amount` is then the payout after the method's fee. */
    paymentMethod: v.optional(methodNameSchema),
  }),
  response: v.object({
    /** Rounded down to the minor unit of `to`. */
    amount: decimalStringSchema,
    /** Units of `to` for one unit of `from`. @example "1.08" */
    rate: v.optional(decimalStringSchema),
    /** The fee of the named method, in `from`. @example "0.50" */
    fee: v.optional(decimalStringSchema),
    /** When the rate was valid. */
    asOf: v.optional(instantSchema),
    /** The rate is stale. The screen marks it as stale, and no withdrawal can be created with it, so `quote` is absent. */
    isStale: v.optional(v.boolean()),
    /**
     * Send it with `withdrawal-create`: until `expires` the payout uses this rate. Present for sweep coins (SC), and for a named method
     * that pays out another currency.
     * @example "q1.eyJyYXRlIjoiMS4wOCJ9"
     */
    quote: v.optional(v.string()),
    /** Until when the quote is valid. */
    expires: v.optional(instantSchema),
  }),
  retry: true,
  idempotency: { kind: 'read' },
  /** `not-found`: the server has no rate between the two currencies. */
  errors: ['not-found', 'method-unavailable'],
});
