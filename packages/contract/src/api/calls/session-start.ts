import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** A payment session: a hint that the user is about to pay. A session credits nothing (AMT-7). */
export const sessionStart = defineCall({
  name: 'session-start',
  method: 'POST',
  summary: 'Opens a payment session while the user types the amount.',
  request: v.object({ amount: decimalStringSchema, currency: currencySchema, pendingGroup: v.optional(v.string()) }),
  response: v.object({ paymentSessionId: v.string() }),
});
