import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** A payment session: a hint that the user is about to pay. A session credits nothing (AMT-7). */
export const sessionStart = defineCall({
  name: 'session-start',
  method: 'POST',
  summary: 'Opens a payment session while the user types the amount.',
  request: v.object({
    /** The amount that the user has typed. */
    amount: decimalStringSchema,
    /** The currency of the amount. */
    currency: currencySchema,
    /** The group of methods that is open. @example "cards" */
    pendingGroup: v.optional(v.string()),
  }),
  response: v.object({
    /** The id of the session. Send it with the create call. @example "5b0e3c9a" */
    paymentSessionId: v.string(),
  }),
});
